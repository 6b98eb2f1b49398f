# SPDX-License-Identifier: Apache-2.0
"""Draws projection.svg: an impact with one row in the plane of two speeds, in the kinetic metric.

Mass matrix [[2, 0.6], [0.6, 1]], row A = (-0.6, 1). N(A) is the set of admissible speeds, S projects along it on the direction
M^-1 A^T; v - S v is the plastic impact (e = 0), v - 2 S v = R v the full rebound (e = 1). The ellipse holds the kinetic energy
of v: the reflection stays on it, every other e in [0, 1) ends inside. Run: python3 projection_figure.py
"""
import math
import os

M = ((2.0, 0.6), (0.6, 1.0))
A = (-0.6, 1.0)
V = (1.5, -0.7)
SCALE, CX, CY, WIDTH, HEIGHT = 130.0, 310.0, 290.0, 760, 580
HALO = 'paint-order="stroke" stroke="white" stroke-width="4"'  # keeps words readable over lines

det = M[0][0] * M[1][1] - M[0][1] ** 2
inverse = ((M[1][1] / det, -M[0][1] / det), (-M[0][1] / det, M[0][0] / det))
push = (inverse[0][0] * A[0] + inverse[0][1] * A[1], inverse[1][0] * A[0] + inverse[1][1] * A[1])
delassus = A[0] * push[0] + A[1] * push[1]
rate = A[0] * V[0] + A[1] * V[1]
Sv = (push[0] * rate / delassus, push[1] * rate / delassus)


def energy(v):
    return 0.5 * (M[0][0] * v[0] ** 2 + 2 * M[0][1] * v[0] * v[1] + M[1][1] * v[1] ** 2)


def after(e):
    return V[0] - (1 + e) * Sv[0], V[1] - (1 + e) * Sv[1]


def at(v):
    return CX + SCALE * v[0], CY - SCALE * v[1]


def line(a, b, style):
    (x1, y1), (x2, y2) = at(a), at(b)
    return f'<line x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}" {style}/>'


def text(v, words, dx=8, dy=-8, style=""):
    x, y = at(v)
    return f'<text x="{x + dx:.2f}" y="{y + dy:.2f}" {HALO} {style}>{words}</text>'


def dot(v, colour):
    x, y = at(v)
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="5" fill="{colour}"/>'


def ellipse():
    points = []
    for k in range(181):
        angle = 2 * math.pi * k / 180
        direction = (math.cos(angle), math.sin(angle))
        radius = math.sqrt(energy(V) / energy(direction))
        points.append("%.2f,%.2f" % at((radius * direction[0], radius * direction[1])))
    return f'<polyline points="{" ".join(points)}" fill="none" stroke="#999" stroke-dasharray="5 4"/>'


null = (A[1], -A[0])
length = 1.45 / math.hypot(*null)
far = (null[0] * length, null[1] * length)
parts = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="15">',
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ellipse(),
    line((-far[0], -far[1]), far, 'stroke="#2060a0" stroke-width="2"'),
    text(far, "N(A): admissible speeds", 12, 0, 'fill="#2060a0"'),
    line((0, 0), V, 'stroke="#222" stroke-width="2"'),
    line(V, after(1), 'stroke="#c03020" stroke-width="2"'),
    line((0, 0), after(1), 'stroke="#c03020" stroke-width="1" stroke-dasharray="3 3"'),
    dot((0, 0), "#222"), text((0, 0), "v = 0", -50, 4),
    text(after(-0.5), "-S v", -48, 0, 'fill="#c03020"'), text(after(0.25), "-S v", -45, 0, 'fill="#c03020"'),
    dot(V, "#222"), text(V, "v before", 8, 18),
    dot(after(0), "#2060a0"), text(after(0), "e = 0: (I - S) v, projection", 12, 6),
    dot(after(0.5), "#808080"), text(after(0.5), "e = 0.5", 12, 6),
    dot(after(1), "#c03020"), text(after(1), "e = 1: R v, reflection", 8, -10),
    text((0.0, -1.25), "dashed: speeds with the", -300, 30, 'fill="#777"'),
    text((0.0, -1.25), "kinetic energy of v before", -300, 50, 'fill="#777"'),
    text((1.75, 1.45), "impulses act along M&#8315;&#185;A&#7488;:", -60, 0, 'fill="#c03020"'),
    text((1.75, 1.45), "oblique to the eye, orthogonal to N(A)", -60, 20, 'fill="#c03020"'),
    text((1.75, 1.45), "in the kinetic metric", -60, 40, 'fill="#c03020"'),
    "</svg>",
]
folder = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(folder, "projection.svg"), "w", encoding="utf-8") as file:
    file.write("\n".join(parts) + "\n")
