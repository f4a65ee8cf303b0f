#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if a text has a misspelled word (codespell), or if a page, a comment or the name of a test has a word that this
project once used where the field has a term of its own (docs/reference/glossary.md).

usage: check_words.py [--root DIR] [--folders FOLDER...] [--self-test]

Exit code 77: there is no codespell; the words of our own were checked.
"""
import argparse
import ast
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tokenize

SKIPPED = 77
# Names that codespell takes for misspelled words, and words that tests misspell to see what happens.
NAMES = "hsa,valu,inflight,nowns,upto,kown,renderd,positionof,hastable,kno,onother,sumary,fo"
LEFT_OUT = re.compile(r"(^|/)(testdata|spec|third_party)/|\.(png|bin|co|pftrace|db|min\.js)$|/samples_of/|_fuzz_corpus/")

# Pages that are for users.
PAGES = ("README.md", "CONTRIBUTING.md", "docs/README.md", "docs/architecture.md", "docs/guide/*.md", "docs/reference/*.md",
         "docs/design/*.md")
# Words that this project once used, and the field's terms (docs/reference/glossary.md): in pages, comments, names of tests.
TERMS = {
    r"doors?": "interception method, or how it was loaded",
    r"ledgers?": "completeness report",
    r"honesty": "completeness report",
    r"owe[sd]?": "still has to complete",
    r"bur(y|ies|ied)": "release",
    r"mourn\w*": "retire",
}
# "D77": the number of a line in a list that is not part of the project.
LIST_ID = re.compile(r"(?<!noqa: )\b[ABDEF](?!16\b|32\b|64\b)\d{2,3}\b")
CLEAN = ("include", "python", "scripts", "cmake", "samples", "examples", "benchmarks", "tests", "tools", "vgpu", "src")
# Generated files: their generators have the texts.
MADE = re.compile(r"^// .*Made by tools/", re.M)
COLUMNS = 120
GENERATED = "docs/reference/support.md"


def files(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.split("\0")
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*")]
    return [name for name in names if name and (root / name).is_file()]


def text_files(root):
    return [name for name in files(root) if not LEFT_OUT.search(name)]


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


def joined(lines):
    """Pairs of a line number and a text, where lines that follow each other are one text."""
    found, last = [], None
    for number, line in lines:
        if last is not None and number == last + 1:
            found[-1] = (found[-1][0], found[-1][1] + " " + line)
        else:
            found.append((number, line))
        last = number
    return found


def cpp_comments(text):
    token = re.compile(r'R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/',
                       re.S)
    text = re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])", "_", text)
    return joined((text.count("\n", 0, hit.start()) + 1, hit[0].strip("/* \n"))
                  for hit in token.finditer(text) if hit[0].startswith(("//", "/*")))


def python_comments(text):
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    found = joined((token.start[0], token.string.lstrip("# ")) for token in tokens if token.type == tokenize.COMMENT)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            found.append((node.body[0].lineno, re.sub(r"\s+", " ", ast.get_docstring(node, clean=False)).strip()))
    return found


def hash_comments(text):
    return joined((number, line.strip().lstrip("# ")) for number, line in enumerate(text.splitlines(), 1)
                  if line.lstrip().startswith("#") and not line.startswith("#!"))


def page_lines(text):
    found, code = [], False
    for number, line in enumerate(text.splitlines(), 1):
        code ^= line.startswith("```")
        if not code and not line.startswith("    "):
            found.append((number, line.lstrip("#-*>| ")))
    return found


def names_of_tests(text):
    """The words of names such as RefusesARecordWhenFull and test_refuses_a_record."""
    found = []
    for hit in re.finditer(r"^TEST\w*\(\s*\w+,\s*(\w+)\)|^\s+def test_(\w+)\(", text, re.M):
        words = hit[2] or re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", hit[1])
        found.append((text.count("\n", 0, hit.start()) + 1, words.replace("_", " ").capitalize()))
    return found


def words_to_check(name, text):
    if MADE.search(text):
        return []
    if re.search(r"\.(h|cpp|c|hip|js|cl|inc)$", name):
        return cpp_comments(text) + names_of_tests(text)
    if name.endswith(".py"):
        return python_comments(text) + names_of_tests(text)
    if name.endswith(".md"):
        return page_lines(text)
    return hash_comments(text) if re.search(r"\.(cmake|toml|sh)$|CMakeLists\.txt$|^scripts/", name) else []


def wrong_in(text):
    """The wrong words in a text, with the right ones. Code, quoted text and paths are left out."""
    plain = re.sub(r"`[^`]*`|\"[^\"]*\"|\]\([^)]*\)|\b\w*_\w*\b|\b[A-Z]{3,}\b|\S*/\S+", "", text)
    found = {hit.start(): (hit[0], term) for words, term in TERMS.items()
             for hit in re.finditer(rf"\b({words})\b", plain, re.I)}
    found |= {hit.start(): (hit[0], "describe the behaviour") for hit in LIST_ID.finditer(plain)}
    return [found[at] for at in sorted(found)]


def comment_words(root, names, folders):
    found = []
    for name in names:
        if not name.startswith(tuple(folder + "/" for folder in folders)):
            continue
        for number, line in words_to_check(name, (root / name).read_text(errors="replace")):
            found += [f"{name}:{number}: \"{words}\": say {term}" for words, term in wrong_in(line)]
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


def self_test_comments(root):
    right = {
        "src/a.h": "// The ring's next slot, by `door`.\nint door = 1;  // see RTL_HIP_DOOR and docs/ledger.md\n"
                   "const char* kText = \"honesty // doors\";  /* plain */\nauto r = R\"(// ledgers)\";\n"
                   "int n = 1'000'000;\n",
        "src/a_test.cpp": "TEST(Ring, RefusesARecordWhenFull) {}\n",
        "src/a.py": "# A comment.\ndef test_it():\n    \"\"\"Returns what is there.\"\"\"\n    return 'ledger'\n",
        "src/README.md": "# a\n\nA page. `door`\n\n    ledger\n",
        "src/made.h": "// made.h: the ledger. Made by tools/gen.py.\n",
        "other/a.h": "// the ledger\n",
    }
    wrong = {
        "src/a.h": ("// Ledgers\n", "int a;  // the door\n", "/* it mourns */\n", "// As D77 says.\n",
                    "// One thing. Honesty is the rest.\n"),
        "src/a_test.cpp": ("TEST(Ring, OwesARecord) {}\n", "TEST_F(Ring,\n       BuriesItsSignals) {}\n"),
        "src/a.py": ("# doors\n", "def f():\n    \"\"\"The ledger.\"\"\"\n",
                     "class A:\n    def test_mourning_ends(self):\n        pass\n"),
        "src/README.md": ("The ledger is new.\n",),
        "src/CMakeLists.txt": ("# which owes it\n",),
    }
    (root / "src").mkdir()
    (root / "other").mkdir()
    for name, text in right.items():
        (root / name).write_text(text)
    assert comment_words(root, list(right), ("src",)) == [], comment_words(root, list(right), ("src",))
    for name, texts in wrong.items():
        for text in texts:
            (root / name).write_text(text)
            assert len(comment_words(root, [name], ("src",))) == 1, (text, comment_words(root, [name], ("src",)))


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
        self_test_comments(root)
        if shutil.which("codespell"):
            page.write_text("The hsa valu is t" + "eh one.\n")
            assert len(misspelled(root, ["docs/guide/a.md"])) == 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--folders", nargs="*", help="check the comments of these folders only")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    has_speller = shutil.which("codespell") is not None
    names = text_files(options.root)
    found = house_words(options.root) + long_lines(options.root, names)
    found += comment_words(options.root, names, options.folders or CLEAN)
    found += misspelled(options.root, names) if has_speller else []
    print("\n".join(found), end="\n" if found else "")
    if not found and not has_speller:
        print("SKIPPED: codespell is not installed")
        return SKIPPED
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
