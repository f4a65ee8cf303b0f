#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a text has a word that is misspelled (codespell), or a page that users read has a word that this project once
used where the field has a term of its own.

usage: check_words.py [--root DIR] [--self-test]

Exit code 77: there is no codespell; the words of our own were checked.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# Names that codespell takes for misspelled words, and words that tests misspell to see what happens.
NAMES = "hsa,valu,inflight,nowns,upto,kown,renderd,positionof,hastable,kno,onother,sumary,fo"
LEFT_OUT = re.compile(r"(^|/)(testdata|spec|third_party)/|\.(png|bin|co|pftrace|db|min\.js)$|/samples_of/|_fuzz_corpus/")

# What users read: no word of the left, the field says the right.
PAGES = ("README.md", "CONTRIBUTING.md", "docs/README.md", "docs/architecture.md", "docs/guide/*.md", "docs/reference/*.md",
         "docs/design/*.md")
TERMS = {
    r"doors?": "interception method, or how it was loaded",
    r"ledgers?": "completeness report",
    r"honesty": "completeness report",
    r"owe[sd]?": "still has to complete",
    r"bur(y|ies|ied)": "release",
    r"is nobody's": "belongs to no one / is not recorded",
    r"ran not": "did not run",
}
COLUMNS = 120
GENERATED = "docs/reference/support.md"


def text_files(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.split("\0")
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*")]
    return [name for name in names if name and (root / name).is_file() and not LEFT_OUT.search(name)]


def misspelled(root, names):
    found = []
    for start in range(0, len(names), 200):
        run = subprocess.run(["codespell", "--ignore-words-list", NAMES, *names[start:start + 200]], cwd=root,
                             capture_output=True, text=True)
        found += [line for line in run.stdout.splitlines() if "==>" in line]
    return found


def house_words(root):
    found = []
    for pattern in PAGES:
        for path in sorted(root.glob(pattern)):
            code = False
            for number, line in enumerate(path.read_text().splitlines(), 1):
                code ^= line.startswith("```")
                plain = "" if code or line.startswith("    ") else re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)
                for word, term in TERMS.items():
                    hit = re.search(rf"\b{word}\b", plain, re.I)
                    if hit:
                        found.append(f"{path.relative_to(root)}:{number}: \"{hit[0]}\": say {term}")
    return found


def long_lines(root, names):
    """Prose of more columns than fit; tables, code and links that stand alone may be longer."""
    found = []
    for name in names:
        if not name.endswith(".md") or name == GENERATED:
            continue
        code = False
        for number, line in enumerate((root / name).read_text().splitlines(), 1):
            code ^= line.lstrip().startswith("```")
            is_prose = not code and not line.startswith(("    ", "|")) and " " in line.strip()
            if is_prose and len(line) > COLUMNS:
                found.append(f"{name}:{number}: {len(line)} columns: wrap the line at {COLUMNS}")
    return found


def self_test():
    with tempfile.TemporaryDirectory(prefix="check-words-") as name:
        root = pathlib.Path(name)
        (root / "docs/guide").mkdir(parents=True)
        page = root / "docs/guide/a.md"
        page.write_text("A page. `door` and RTL_HIP_DOOR are identifiers.\n\n    a door of code\n\n```\nledger\n```\n")
        assert house_words(root) == [], house_words(root)
        page.write_text("The ledger is here.\n")
        assert len(house_words(root)) == 1
        page.write_text("word " * 25 + "\n| " + "cell " * 40 + "|\n")
        assert len(long_lines(root, ["docs/guide/a.md"])) == 1
        if shutil.which("codespell"):
            page.write_text("The hsa valu is t" + "eh one.\n")
            assert len(misspelled(root, ["docs/guide/a.md"])) == 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    has_speller = shutil.which("codespell") is not None
    names = text_files(options.root)
    found = house_words(options.root) + long_lines(options.root, names)
    found += misspelled(options.root, names) if has_speller else []
    print("\n".join(found), end="\n" if found else "")
    if not found and not has_speller:
        print("SKIPPED: codespell is not installed")
        return SKIPPED
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
