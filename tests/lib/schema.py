#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks JSON documents of nettune against their schemas.

Usage: schema.py [FILE...]    (without FILE: one document on stdin)

The schema is schemas/NAME.schema.json for "format": "NAME/1". Exit status 1 and a message if a
document does not conform, 2 if there is nothing to check it with.
"""
import json
import pathlib
import re
import sys
import warnings

warnings.simplefilter("ignore", DeprecationWarning)

try:
    from jsonschema import Draft202012Validator, RefResolver
except ImportError:
    print("schema.py: needs python3-jsonschema", file=sys.stderr)
    sys.exit(2)

SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "schemas"


def no_duplicates(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError(f"a member twice among {names}")
    return dict(pairs)


def validator_of(document):
    match = re.fullmatch(r"(nettune-[a-z]+)/1", str(document.get("format")))
    path = SCHEMAS / f"{match.group(1)}.schema.json" if match else None
    if path is None or not path.is_file():
        raise ValueError(f"no schema for the format {document.get('format')!r}")
    schema = json.loads(path.read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, resolver=RefResolver(path.as_uri(), schema))


def mistakes(text):
    try:
        document = json.loads(text, object_pairs_hook=no_duplicates)
        if not isinstance(document, dict):
            raise ValueError("not an object")
        validator = validator_of(document)
    except ValueError as error:
        return [str(error)]
    return [
        f"{'/'.join(map(str, error.absolute_path)) or '(document)'}: {error.message}"
        for error in validator.iter_errors(document)
    ]


def main():
    files = sys.argv[1:]
    texts = [(name, pathlib.Path(name).read_text()) for name in files] or [
        ("stdin", sys.stdin.read())
    ]
    status = 0
    for name, text in texts:
        for mistake in mistakes(text):
            print(f"{name}: {mistake}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
