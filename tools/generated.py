# SPDX-License-Identifier: MIT
"""generated.py: what the generators of checked-in files do with their texts."""

import pathlib
import sys


def write_or_check(made):
    """Writes the text of each path in `made`; with --check, compares instead. Returns the exit code."""
    if sys.argv[1:] == ["--check"]:
        stale = [str(path) for path, text in made.items() if not path.exists() or path.read_text() != text]
        generator = pathlib.Path(sys.argv[0]).name
        print("\n".join(f"{path}: run tools/{generator}" for path in stale) or "as described")
        return int(bool(stale))
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return 0


def split(text):
    """The arguments of a list, where commas in parentheses do not count."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [*parts, text[start:].strip()] if text.strip() else []
