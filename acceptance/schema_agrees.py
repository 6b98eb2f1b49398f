#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every model of the gallery agrees with the schema that editors are given, and a misspelled key does not.   schema_agrees.py PROGRAM"""
import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import yaml



class Loader(yaml.SafeLoader):
    """YAML 1.2, in which `on` and `yes` are words."""


Loader.yaml_implicit_resolvers = {first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
                                  for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))

MODELS = Path(__file__).resolve().parent.parent / "models"


def main():
    schema = json.loads(subprocess.run([sys.argv[1], "schema"], check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    problems, keys = [], 0
    for file in sorted(MODELS.rglob("*.yaml")):
        model = yaml.load(file.read_text(encoding="utf-8"), Loader)
        for error in validator.iter_errors(model):
            problems.append(f"{file.relative_to(MODELS)}: {'/'.join(map(str, error.path))}: {error.message[:200]}")
        for key in list(model):  # the first letters in a wrong order
            wrong = {**model, key[1] + key[0] + key[2:]: model[key]}
            keys += 1
            if not list(validator.iter_errors(wrong)):
                problems.append(f"{file.relative_to(MODELS)}: {key} misspelled is accepted")
    print("\n".join(problems))
    print(f"{keys} keys, {len(problems)} problems")
    sys.exit(1 if problems or keys == 0 else 0)


main()
