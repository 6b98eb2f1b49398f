# SPDX-License-Identifier: Apache-2.0
"""The smallest model that still fails in the same way: parts are taken away one by one while it does."""
import copy

from checks import free_bodies


def without_body(model, name):
    m = copy.deepcopy(model)
    gone = {name, f"peg_{name}"}
    m["bodies"] = {n: b for n, b in m["bodies"].items() if n not in gone}
    of = lambda reference: reference.partition(".")[0]
    m["contacts"] = {n: c for n, c in m["contacts"].items() if not (
        any(of(b) in gone for b in c["between"]) if "between" in c else f"{name}." in c["gap"])}
    if "springs" in m:
        m["springs"] = [s for s in m["springs"] if not any(of(b) in gone for b in s["between"])]
    for key in ("forces", "torques"):
        if key in m:
            m[key] = [f for f in m[key] if of(f["on"]) not in gone]
    if "constraints" in m:
        m["constraints"] = {n: c for n, c in m["constraints"].items()
                            if not any(f"{name}." in row for row in c["configuration"])}
    if "joints" in m:
        m["joints"] = {n: j for n, j in m["joints"].items() if not any(
            isinstance(e, str) and of(e) in gone for ends in j.values() if isinstance(ends, list) for e in ends)}
    return tidy(m)


def tidy(model):
    return {k: v for k, v in model.items() if v not in ([], {}) or k in ("bodies", "contacts")}


def smaller(model):
    """Models with one thing less."""
    for name in list(model["bodies"]):
        if name in free_bodies(model) and len(free_bodies(model)) == 1:
            continue
        yield without_body(model, name)
    for section in ("contacts", "constraints", "joints"):
        for name in model.get(section, {}):
            m = copy.deepcopy(model)
            del m[section][name]
            yield tidy(m)
    for section in ("springs", "forces", "torques"):
        for k in range(len(model.get(section, []))):
            m = copy.deepcopy(model)
            del m[section][k]
            yield tidy(m)
    for name, body in model["bodies"].items():
        for key in ("velocity", "spin", "angle", "orientation", "motion"):
            if key in body and (key != "angle" or not {"constraints", "joints"} & set(model)):
                m = copy.deepcopy(model)
                del m["bodies"][name][key]
                if key == "motion":
                    m["bodies"][name]["fixed"] = True
                yield m
    for name, contact in model["contacts"].items():
        for key in ("restitution", "friction", "dynamic_friction", "static_friction", "surface_velocity", "zones"):
            if key in contact and not (key == "dynamic_friction" and "static_friction" in contact):
                m = copy.deepcopy(model)
                del m["contacts"][name][key]
                yield m
    for digits in (2, 3):
        yield with_digits(model, digits)


def with_digits(model, digits):
    """Numbers rounded, but not those that put bodies into place."""
    m = copy.deepcopy(model)
    short = lambda x: float(f"{x:.{digits}g}") if isinstance(x, float) else x
    for body in m["bodies"].values():
        for key in ("mass", "inertia", "spin"):
            if isinstance(body.get(key), float):
                body[key] = short(body[key])
        if "velocity" in body:
            body["velocity"] = [short(x) for x in body["velocity"]]
    for contact in m["contacts"].values():
        for key, x in contact.items():
            contact[key] = short(x) if isinstance(x, float) else x
    m["run"]["until"] = short(m["run"]["until"])
    return m


def shrink(model, kind, kinds_of, most=150):
    """`kinds_of(model)` gives the kinds of findings; at most so many tries."""
    tries, is_smaller = 0, True
    while is_smaller and tries < most:
        is_smaller = False
        for candidate in smaller(model):
            tries += 1
            if tries >= most:
                break
            if candidate != model and kind in kinds_of(candidate):
                model, is_smaller = candidate, True
                break
    return model
