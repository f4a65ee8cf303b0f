#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if an in-process archive refers to a function that may not run inside the traced application:
one that ends the process, writes to its streams, throws, or reads or changes its environment.

usage: check_symbols.py [--self-test] ARCHIVE...
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

DENIED = {
    # ends the process
    "abort", "exit", "_exit", "_Exit", "quick_exit", "__assert_fail", "raise", "err", "errx",
    # writes where the application writes
    "printf", "vprintf", "__printf_chk", "__vprintf_chk", "puts", "putchar", "perror",
    "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "stdout", "stderr",
    # throws, or needs a run-time type
    "__cxa_throw", "__cxa_begin_catch", "__cxa_allocate_exception", "__dynamic_cast",
    # reads or changes the environment
    "getenv", "secure_getenv", "setenv", "putenv", "unsetenv", "environ", "__environ",
    # pulls in locales
    "_ZNSt6localeC1Ev", "_ZNSt8ios_base4InitC1Ev", "setlocale",
    # waits without a bound, or starts something that the application would notice
    "sleep", "system", "fork", "popen",
}
# object file -> functions that it alone may use, because that is its purpose
GRANTED = {
    "environment.cpp.o": {"getenv", "setenv", "environ", "__environ"},
    "log.cpp.o": {"abort"},
}


def undefined_symbols(archive):
    """Object file -> the symbols that it leaves open."""
    listing = subprocess.run(["nm", "--undefined-only", archive], capture_output=True, text=True,
                             check=True).stdout
    found, member = {}, archive
    for line in listing.splitlines():
        if line.endswith(":"):
            member = line[:-1]
            found.setdefault(member, [])
        elif line.strip():
            found.setdefault(member, []).append(line.split()[-1].split("@")[0])
    return found


def problems(archives):
    if not archives:
        return ["no archive given: the list of in-process modules is empty"]
    found = []
    for archive in archives:
        objects = undefined_symbols(archive)
        if not objects:
            found.append(f"{archive}: holds no object file")
        for member, symbols in objects.items():
            for symbol in symbols:
                if symbol in DENIED and symbol not in GRANTED.get(member, ()):
                    found.append(f"{os.path.basename(archive)}({member}): {symbol}")
    return found


def build(directory, name, source):
    path = pathlib.Path(directory)
    (path / f"{name}.cpp").write_text(source)
    run = lambda *command: subprocess.run(command, check=True, cwd=path)
    run(os.environ.get("CXX", "c++"), "-c", f"{name}.cpp", "-o", f"{name}.cpp.o")
    run("ar", "rc", f"lib{name}.a", f"{name}.cpp.o")
    return str(path / f"lib{name}.a")


def self_test():
    """Compiles archives that are clean, broken, and broken where it is allowed."""
    with tempfile.TemporaryDirectory() as directory:
        clean = build(directory, "clean", "#include <string.h>\n"
                      "size_t F(const char* a) { return strlen(a); }\n")
        ends = build(directory, "ends", "#include <stdlib.h>\nvoid F() { abort(); }\n")
        reads = build(directory, "reads", "#include <stdlib.h>\nchar* F() { return getenv(\"A\"); }\n")
        throws = build(directory, "throws", "void F() { throw 1; }\n")
        prints = build(directory, "prints", "#include <iostream>\nvoid F() { std::cout << 1; }\n")
        granted = build(directory, "log", "#include <stdlib.h>\nvoid F() { abort(); }\n")
        assert problems([clean, granted]) == [], problems([clean, granted])
        assert problems([clean, ends]) == ["libends.a(ends.cpp.o): abort"]
        assert problems([reads]) == ["libreads.a(reads.cpp.o): getenv"]
        assert any("__cxa_throw" in line for line in problems([throws]))
        assert any("_ZSt4cout" in line for line in problems([prints]))
        empty = str(pathlib.Path(directory) / "libempty.a")
        subprocess.run(["ar", "rc", empty], check=True)
        assert problems([empty]) == [f"{empty}: holds no object file"]
        assert len(problems([])) == 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("archives", nargs="*")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    found = problems(args.archives)
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
