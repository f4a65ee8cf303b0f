#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manual pages and the completion of shells: every option of the programs is in them, and bash completes by them.

    RTL_BUILD=build/release manual_test.py
"""

import pathlib
import re
import shutil
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from frame import BUILD, ROOT, main, rtl, run  # noqa: E402

MADE = BUILD / "manual"


def options(*command):
    """The options at the beginnings of the lines of a help."""
    text = run(BUILD / "bin" / command[0], *command[1:], "--help").stdout
    found = set()
    for line in text.splitlines():
        start = re.match(r"  (-.*?)(  |$)", line)
        if start:
            found |= set(re.findall(r"(?:^|[ ,])(--?[a-zA-Z][\w-]*)", start[1]))
    return found


def verbs():
    text = rtl("--help").stdout
    return re.findall(r"^  ([a-z]+)  ", text[text.index("Verbs"):text.index("Examples")], re.M)


def complete(*words):
    """Bash's completions of the last word."""
    program = words[0]
    script = f"""source {MADE}/completions/bash/{program}
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        $(complete -p {program} | sed 's/.*-F \\([^ ]*\\) .*/\\1/') {program}
        printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = run("bash", "--norc", "-c", script, "bash", *words)
    assert not done.stderr, done.stderr
    return done.stdout.split()


class Options(unittest.TestCase):
    def test_every_option_of_every_verb_is_in_the_page_and_in_each_shell(self):
        page = (MADE / "man" / "rtl.1").read_text().replace("\\-", "-")
        zsh = (MADE / "completions" / "zsh" / "_rtl").read_text()
        fish = (MADE / "completions" / "fish" / "rtl.fish").read_text()
        self.assertGreater(len(verbs()), 9)
        for verb in verbs():
            asked = options("rtl", verb)
            for action in ("list", "info", "check") if verb == "counters" else ():
                asked |= options("rtl", verb, action)
            self.assertGreater(len(asked), 1, verb)
            of_page = page[page.index(f".SS \\fBrtl {verb}\\fR"):].split("\n.SS ")[0]
            of_zsh = zsh[zsh.index(f"\n  {verb})\n"):].split("    ;;")[0]
            offered = complete("rtl", verb, "-") if verb != "counters" else complete("rtl", verb, "list", "-")
            for option in asked:
                self.assertIn(f"\\fB{option}\\fR", of_page)
                self.assertIn(f"'{option}[", of_zsh)
                self.assertIn(option, offered)
                flag = f" -l {option[2:]}" if option.startswith("--") else f" -s {option[1:]}"
                self.assertRegex(fish, rf"__fish_seen_subcommand_from {verb}'[^'\n]*{flag} ")

    def test_every_option_of_rocprofv3_that_is_served_is_there(self):
        text = (ROOT / "docs" / "reference" / "rocprofv3.md").read_text()
        served = set()
        for row in re.findall(r"^\| (`--[^|]*) \| served \|", text, re.M):
            served |= set(re.findall(r"`(--[a-z0-9-]+)`", row))
        page = (MADE / "man" / "rocprofv3.1").read_text().replace("\\-", "-")
        offered = complete("rocprofv3", "-")
        known = options("rocprofv3")
        self.assertGreater(len(served & known), 30)
        for option in served & known:
            self.assertIn(f"\\fB{option}\\fR", page)
            self.assertIn(option, offered)


class Bash(unittest.TestCase):
    def test_verbs(self):
        self.assertEqual(complete("rtl", "tr"), ["trace"])
        self.assertEqual(sorted(complete("rtl", "")), sorted([*verbs(), "-h", "--help", "--version"]))
        self.assertEqual(complete("rtl", "counters", ""), ["list", "info", "check"])

    def test_options_and_their_values(self):
        self.assertEqual(complete("rtl", "trace", "--wh"), ["--while-range"])
        self.assertEqual(complete("rtl", "trace", "--mode", "h"), ["hip"])
        self.assertEqual(complete("rtl", "summary", "--sort", ""), ["avg", "calls", "total"])
        self.assertIn("pftrace", complete("rtl", "convert", "--to", ""))
        self.assertEqual(complete("rtl", "analyze", "-o"), [])
        self.assertEqual(complete("rocprofv3", "--kernel-tr"), ["--kernel-trace"])

    def test_the_program_to_trace_is_a_command_and_its_options_are_its_own(self):
        self.assertIn("printf", complete("rtl", "trace", "--vgpu", "--", "print"))
        self.assertEqual(complete("rtl", "trace", "--", "ls", "--mo"), [])
        self.assertEqual(complete("rtl", "trace", "-o", "x"), [], "bash goes on with names of files")


class Readers(unittest.TestCase):
    def test_the_pages_are_well_formed(self):
        if shutil.which("groff") is None:
            self.skipTest("groff is not installed")
        for page in (MADE / "man").iterdir():
            self.assertEqual(run("groff", "-man", "-ww", "-z", page).stderr, "", page)

    def test_the_shells_read_their_files(self):
        for shell, file in (("bash", "bash/rtl"), ("bash", "bash/rocprofv3"), ("zsh", "zsh/_rtl"),
                            ("zsh", "zsh/_rocprofv3"), ("fish", "fish/rtl.fish"), ("fish", "fish/rocprofv3.fish")):
            if shutil.which(shell) is None:
                continue
            self.assertEqual(run(shell, "-n", MADE / "completions" / file).stderr, "", file)


if __name__ == "__main__":
    main()
