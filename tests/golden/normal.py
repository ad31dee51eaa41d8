#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes JSON outputs comparable: without what differs from run to run, an element a line.

Usage: normal.py FILE...    (changes the files)
"""
import json
import pathlib
import sys


def normalise(document):
    """Time, version and digest are others' business; of paths only the last part is ours."""
    document.pop("time")
    document.pop("nettune")
    profile = document.get("profile")
    if profile:
        profile["source"] = pathlib.PurePath(profile["source"]).name
        profile.pop("sha256")


def lines(document):
    yield "{"
    for name, value in document.items():
        comma = "" if name == list(document)[-1] else ","
        if not isinstance(value, list) or not value:
            yield f"{json.dumps(name)}: {json.dumps(value)}{comma}"
            continue
        yield f"{json.dumps(name)}: ["
        yield ",\n".join(json.dumps(element) for element in value)
        yield f"]{comma}"
    yield "}"


def main():
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        document = json.loads(path.read_text(encoding="utf-8"))
        normalise(document)
        path.write_text("\n".join(lines(document)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
