// SPDX-License-Identifier: Apache-2.0
// Paints a motion in space with three.js; bundled at build time into one script (scripts/bundle_viewer).
//   clackSpace(canvas, pictures, tools) -> painter, as the planar one of animation.js
import {
  AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, DirectionalLight,
  DoubleSide, EdgesGeometry, FrontSide, GridHelper, Group, Line, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial,
  MeshLambertMaterial, Object3D, PerspectiveCamera, PlaneGeometry, Quaternion, Scene, SphereGeometry, Vector3, WebGLRenderer,
} from "three";
import {OrbitControls} from "three/addons/controls/OrbitControls.js";

const up = new Vector3(0, 1, 0);

/// A closed surface from rings of points between two poles.
const gridGeometry = (points, around) => {
  const geometry = new BufferGeometry(), faces = [], last = points.length - 1, rings = (points.length - 2) / around;
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
  const at = (ring, k) => 1 + ring * around + (k % around);
  for (let k = 0; k < around; ++k) {
    faces.push(0, at(0, k), at(0, k + 1), last, at(rings - 1, k + 1), at(rings - 1, k));
    for (let r = 0; r + 1 < rings; ++r)
      faces.push(at(r, k), at(r + 1, k), at(r + 1, k + 1), at(r, k), at(r + 1, k + 1), at(r, k + 1));
  }
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
};
const polygonGeometry = points => {
  const geometry = new BufferGeometry(), faces = [];
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
  for (let k = 1; k + 1 < points.length; ++k) faces.push(0, k, k + 1);
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
};
const lineGeometry = points => {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points.flat()), 3));
  return geometry;
};

/// A meridian and an equator, so that a ball is seen to turn.
const circles = radius => {
  const points = [];
  for (const turn of [p => [p[0], p[1], 0], p => [p[0], 0, p[1]]])
    for (let k = 0; k < 48; ++k)
      for (const j of [k, k + 1]) points.push(turn([radius * Math.cos(Math.PI * j / 24), radius * Math.sin(Math.PI * j / 24)]));
  return lineGeometry(points);
};

window.clackSpace = (canvas, pictures, tools) => {
  const {parts, springs, links, contacts, around} = pictures, {colour, extent} = tools;
  const renderer = new WebGLRenderer({canvas, antialias: true, alpha: true, preserveDrawingBuffer: true});
  const scene = new Scene(), camera = new PerspectiveCamera(35, 1, 0.01, 1000), lights = new Group();
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = false;
  const whole = extent(), size = Math.max(whole.radius, 1e-9), near = Math.min(size, 2 * tools.crowd), dot = 0.016 * near;
  camera.near = size / 200; camera.far = size * 200;
  const sun = new DirectionalLight(0xffffff, 2.2);
  sun.position.set(-2, -3, 5);
  lights.add(new AmbientLight(0xffffff, 1.3), sun);
  scene.add(lights);
  const inked = [];  // [material, name of its colour]
  const ink = (material, name) => { inked.push([material, name]); return material; };
  const solid = (name, more = {}) => ink(new MeshLambertMaterial({...more}), name);
  const thin = (name, more = {}) => ink(new LineBasicMaterial({...more}), name);
  const palette = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5"];

  const edged = (geometry, name) => {
    const mesh = new Mesh(geometry, solid(name, {side: DoubleSide}));
    mesh.add(new LineSegments(new EdgesGeometry(geometry, 25), thin("--ink", {transparent: true, opacity: 0.45})));
    return mesh;
  };
  const halfSpace = part => {
    const [foot, n] = part.points.map(p => new Vector3(...p)), group = new Group(), wide = 2.6 * size;
    const centre = new Vector3(...whole.centre);
    centre.addScaledVector(n, -n.dot(centre.clone().sub(foot)));
    const plane = new Mesh(new PlaneGeometry(wide, wide), solid("--open", {side: FrontSide, transparent: true, opacity: 0.9, depthWrite: false}));
    plane.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), n);
    plane.position.copy(centre);
    const grid = new GridHelper(wide, 20), lines = thin("--soft", {transparent: true, opacity: 0.22, depthWrite: false});
    grid.material.dispose();
    grid.geometry.deleteAttribute("color");
    grid.material = lines;
    grid.quaternion.setFromUnitVectors(up, n);
    grid.position.copy(centre);
    plane.renderOrder = -2; grid.renderOrder = -1;
    group.add(plane, grid);
    return group;
  };
  const bodies = parts.map((part, i) => {
    const name = palette[i % palette.length];
    let thing;
    if (part.kind === "half-plane") thing = halfSpace(part);
    else if (part.kind === "sphere") {
      const radius = part.radius > 0 ? part.radius : 1.6 * dot;
      thing = new Mesh(new SphereGeometry(radius, 40, 24), solid(name));
      if (part.radius > 0) thing.add(new LineSegments(circles(1.003 * radius), thin("--ink", {transparent: true, opacity: 0.5})));
    } else if (part.kind === "box") thing = edged(new BoxGeometry(...part.points[0].map(x => Math.max(2 * x, 0.2 * dot))), name);
    else if (part.kind === "cylinder" || part.kind === "disk") {
      const half = part.kind === "disk" ? 0 : part.points[0][2];
      const geometry = new CylinderGeometry(part.radius, part.radius, Math.max(2 * half, 0.3 * dot), 48).rotateX(Math.PI / 2);
      thing = edged(geometry, name);
      thing.add(new LineSegments(lineGeometry([[0, 0, half + 0.2 * dot], [part.radius, 0, half + 0.2 * dot]]), thin("--ink")));
    } else if (part.kind === "grid") thing = edged(gridGeometry(part.points, around), name);
    else if (part.kind === "polygon") thing = edged(polygonGeometry(part.points), name);
    else thing = new Line(lineGeometry(part.points), thin("--ink"));
    scene.add(thing);
    return thing;
  });

  const rods = springs.map(kind => {  // 0 rod, 1 spring, 2 gap of a formula
    const wide = (kind === 2 ? 0.12 : 0.35) * dot, rod = new Mesh(new CylinderGeometry(wide, wide, 1, 8), solid(kind ? "--soft" : "--ink"));
    scene.add(rod);
    return rod;
  });
  /// Lays a thing of unit length along y between two places.
  const lay = (thing, a, b) => {
    const along = b.clone().sub(a), length = along.length();
    thing.visible = length > 0;
    thing.position.copy(a).addScaledVector(along, 0.5);
    thing.quaternion.setFromUnitVectors(up, along.divideScalar(length || 1));
    thing.scale.set(1, length || 1, 1);
  };
  const arrow = (name, heads = 1) => {
    const group = new Object3D(), material = ink(new MeshBasicMaterial({depthTest: false, transparent: true}), name);
    const shaft = new Mesh(new CylinderGeometry(0.3 * dot, 0.3 * dot, 1, 8), material);
    const head = new Mesh(new ConeGeometry(dot, 2.6 * dot, 12), material);
    shaft.renderOrder = head.renderOrder = 5;
    group.add(shaft, head);
    const second = heads > 1 ? head.clone() : null;
    if (second) group.add(second);
    group.point = (from, force, scale = tools.forceScale(near), strength = 1) => {
      const length = force.length() * scale;
      material.opacity = strength;
      group.visible = length > 0.02 * near;
      if (!group.visible) return;
      const shown = Math.min(length, 1.2 * near), to = from.clone().addScaledVector(force, shown / force.length());
      lay(shaft, from, to);
      head.position.copy(to);
      head.quaternion.copy(shaft.quaternion);
      if (!second) return;
      second.quaternion.copy(head.quaternion);
      second.position.copy(to).addScaledVector(force, -2.2 * dot / force.length());
    };
    scene.add(group);
    return group;
  };
  const marks = [];  // of contacts, made when they are first needed
  const mark = k => {
    if (!marks[k]) {
      const material = ink(new MeshBasicMaterial({depthTest: false, transparent: true}), "--stick");
      const ball = new Mesh(new SphereGeometry(0.9 * dot, 16, 10), material);
      ball.renderOrder = 4;
      scene.add(ball);
      marks[k] = {ball, normal: arrow("--ink"), friction: arrow("--hit")};
      recolour();
    }
    return marks[k];
  };
  const blows = [];  // of impacts, made when they are first needed
  const blow = k => {
    if (!blows[k]) { blows[k] = {normal: arrow("--impulse", 2), friction: arrow("--hit", 2)}; recolour(); }
    return blows[k];
  };
  const trails = parts.map(part => {
    if (part.poses.length === 1 || part.kind === "line") return null;
    const line = new Line(lineGeometry(part.poses.map(p => p.slice(0, 3))), thin("--soft"));
    line.frustumCulled = false;
    scene.add(line);
    return line;
  });
  const recolour = () => { for (const [material, name] of inked) material.color = new Color(colour(name)); };
  recolour();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { recolour(); tools.redraw(); });

  let wide = 0, high = 0, isFitted = false, isWhole = true, held = null;
  const place = (thing, pose) => { thing.position.set(pose[0], pose[1], pose[2]); thing.quaternion.set(pose[4], pose[5], pose[6], pose[3]); };
  const between = new Quaternion();
  const show = (k, f) => parts.forEach((part, i) => {
    const pose = part.poses.length === 1 ? part.poses[0] : part.poses[k];
    if (pose.some(x => x === null)) { bodies[i].visible = false; return; }
    bodies[i].visible = true;
    place(bodies[i], pose);
    if (!(f > 0) || part.poses.length === 1) return;
    const next = part.poses[k + 1];
    bodies[i].position.lerp(new Vector3(next[0], next[1], next[2]), f);
    bodies[i].quaternion.slerp(between.set(next[4], next[5], next[6], next[3]), f);
  });
  /// From how far, in radii, a ball fills the picture.
  const reach = () => 0.92 / Math.sin(Math.PI * Math.min(camera.fov, camera.fov * camera.aspect) / 360);
  const fit = () => {
    const far = reach() * size;
    held = null;
    isWhole = true;
    const view = new Vector3(0.55, -1, 0.5).normalize();
    if (pictures.seen) view.set(...pictures.seen).normalize();
    controls.target.set(...whole.centre);
    camera.position.copy(controls.target).addScaledVector(view, far);
    controls.update();
  };
  const draw = (k, f, {followed, hasArrows, hasTrails}) => {
    const w = canvas.clientWidth, h = canvas.clientHeight;
    if (!w || !h) return;
    if (w !== wide || h !== high) {
      wide = w; high = h;
      renderer.setPixelRatio(window.devicePixelRatio || 1);
      renderer.setSize(w, h, false);
      camera.aspect = w / h;
      camera.updateProjectionMatrix();
    }
    if (!isFitted) { if (isWhole) fit(); isFitted = true; }
    show(k, f);
    if (followed >= 0) {
      const now = bodies[followed].position;
      if (held && held.part === followed) { const step = now.clone().sub(held.at); camera.position.add(step); controls.target.add(step); }
      else {
        const arm = camera.position.clone().sub(controls.target), far = reach() * Math.min(size, 1.6 * tools.crowd);
        camera.position.copy(now).addScaledVector(arm, Math.min(1, far / arm.length()));
        controls.target.copy(now);
        controls.update();
      }
      held = {part: followed, at: now.clone()};
    } else held = null;
    if (links.length) links[k].forEach((link, i) => {
      const next = f > 0 ? links[k + 1][i] : link, at = j => link[j] + f * (next[j] - link[j]);
      lay(rods[i], new Vector3(at(0), at(1), at(2)), new Vector3(at(3), at(4), at(5)));
    });
    contacts[k].forEach((c, i) => {
      const {ball, normal, friction} = mark(i), from = new Vector3(c[2], c[3], c[4]);
      ball.visible = true;
      ball.position.copy(from);
      ball.material.color = new Color(colour(c[1] ? "--stick" : "--slip"));
      normal.point(from, new Vector3(c[5], c[6], c[7]));
      friction.point(from, new Vector3(c[8], c[9], c[10]));
      if (!hasArrows) normal.visible = friction.visible = false;
    });
    for (let i = contacts[k].length; i < marks.length; ++i)
      marks[i].ball.visible = marks[i].normal.visible = marks[i].friction.visible = false;
    const struck = hasArrows ? tools.impulses() : [];
    struck.forEach(([i, strength], j) => {
      const {normal, friction} = blow(j), from = new Vector3(i[2], i[3], i[4]), scale = tools.impulseScale(near);
      normal.point(from, new Vector3(i[5], i[6], i[7]), scale, strength);
      friction.point(from, new Vector3(i[8], i[9], i[10]), scale, strength);
    });
    for (let j = struck.length; j < blows.length; ++j) blows[j].normal.visible = blows[j].friction.visible = false;
    trails.forEach(line => {
      if (!line) return;
      line.visible = hasTrails;
      line.geometry.setDrawRange(Math.max(0, k - 600), Math.min(k, 600) + 1);
    });
    renderer.render(scene, camera);
  };
  controls.addEventListener("change", () => tools.redraw());
  controls.addEventListener("end", () => { isWhole = false; tools.keep(); });
  canvas.addEventListener("wheel", () => { isWhole = false; tools.keep(); }, {passive: true});
  // In the address: from where, and at what.
  const view = () => isWhole ? null : [...camera.position.toArray(), ...controls.target.toArray()];
  const look = numbers => {
    if (!(new Vector3(...numbers.slice(0, 3)).distanceTo(new Vector3(...numbers.slice(3))) > 0)) return;
    isWhole = false;  // before it is drawn
    camera.position.set(...numbers.slice(0, 3));
    controls.target.set(...numbers.slice(3));
    controls.update();
  };
  return {draw, fit, scale: () => tools.scaleWords(0.3 * near), camera: view, look, turn: (right, upward) => {
    const arm = camera.position.clone().sub(controls.target);
    arm.applyAxisAngle(new Vector3(0, 0, 1), right);
    const side = new Vector3().crossVectors(arm, camera.up).normalize();
    const tilted = arm.clone().applyAxisAngle(side, upward);
    if (Math.abs(tilted.clone().normalize().z) < 0.99) arm.copy(tilted);
    camera.position.copy(controls.target).add(arm);
    isWhole = false;
    controls.update();
    tools.redraw();
    tools.keep();
  }, zoom: factor => {
    camera.position.sub(controls.target).divideScalar(factor).add(controls.target);
    isWhole = false;
    controls.update();
    tools.redraw();
    tools.keep();
  }};
};
