#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/clack/symbolic/sympy_derivatives.json: values, first and second derivatives by SymPy.

The formulas are in Clack's notation; SymPy differentiates them and evaluates the results with 40 digits at
fixed points that stay away from branch borders. Run once after changing the list; the data is committed.
"""
import json
import pathlib

import sympy

X, Y, Z = VARIABLES = sympy.symbols("x y z", real=True)

FORMULAS = """
x + 2*y - 3*z
x*y*z
x^2*y^3/z
(x + y)^5
x^-3 + y^-1
x^0.5*y^1.5
x^y
(x*y)^(z/2)
2^x*3^y
sqrt(x^2 + y^2 + z^2)
1/sqrt(1 + x*y)
sin(x)*cos(y)*tan(z/3)
sin(x)^2 + cos(x)^2*y
sin(cos(sin(x*y)))
cos(x - y)/(2 + sin(z))
tan(x*y/4)^2
asin(x/5)*acos(y/6)
atan(x*y - z)
atan2(y, x)
atan2(sin(x), cos(y)*z)
exp(-x^2/2)*y
exp(sin(x) + log(y))
log(x*y + z^2)
log(x)^2/(1 + log(y)^2)
x*log(y/z)
exp(x)/(exp(x) + exp(y))
abs(x - y)*z
abs(sin(x - 4))*y^2
sign(x - y)*x^2
min(x*y, z^3)
max(x^2, y^2)*z
max(min(x, y), z - 1)*x
piecewise(x^2, x < 1, 2*x - 1 + y^3)
piecewise(-x*y, x < -1, x^3*z, x < 2, sin(x*z))
(x^2 - y^2)/(x^2 + y^2)
x/(1 + y/(1 + z/(1 + x)))
(1 + x)^10*(2 - y)^7
0.0045*0.015*0.01*cos(y - x)*z^2
sqrt(1 + sin(x)^2)*exp(-y)/z
(x*cos(y) - z*sin(y))^3
x^12*y^-7
sin(x)/x + (1 - cos(y))/y^2
""".strip().splitlines()

POINTS = [("0.7", "1.3", "0.45"), ("1.9", "0.35", "2.2")]


def piecewise(*arguments):
    pairs = [(arguments[i], arguments[i + 1]) for i in range(0, len(arguments) - 1, 2)]
    return sympy.Piecewise(*pairs, (arguments[-1], True))


NAMES = {"x": X, "y": Y, "z": Z, "abs": sympy.Abs, "min": sympy.Min, "max": sympy.Max, "piecewise": piecewise}


def number(expression, point):
    return float(sympy.N(expression.subs(point), 40))


def main():
    cases = []
    for text in FORMULAS:
        formula = sympy.sympify(text.replace("^", "**"), locals=NAMES, rational=True)
        first = [sympy.diff(formula, v) for v in VARIABLES]
        second = [[sympy.diff(d, v) for v in VARIABLES] for d in first]
        for point in POINTS:
            at = {v: sympy.Rational(p) for v, p in zip(VARIABLES, point)}
            cases.append({
                "formula": text,
                "point": [float(p) for p in point],
                "value": number(formula, at),
                "first": [number(d, at) for d in first],
                "second": [[number(d, at) for d in row] for row in second],
            })
    target = pathlib.Path(__file__).parent.parent / "src/clack/symbolic/sympy_derivatives.json"
    lines = ",\n".join(json.dumps(case) for case in cases)
    target.write_text(f'{{"sympy": "{sympy.__version__}", "cases": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
