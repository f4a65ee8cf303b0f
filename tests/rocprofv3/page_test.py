#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/reference/rocprofv3.md has every option, key and file that the program lists, served or refused as it says, and
names tests that ctest runs. spec/rocprofv3/acceptance.txt leads from each line of AMD's manuals to a row of the page.

docs/guide/coming-from.md recommends only what the programs serve.

    RTL_BUILD=build/release page_test.py
"""

import json
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, ROCPROFV3, ROOT, main, make_folder, rtl, run  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "rocprofv3.md"
GUIDE = ROOT / "docs" / "guide" / "coming-from.md"


def program_options():
    """Every option and whether it is served, from --help."""
    options = {}
    for block in re.split(r"\n(?=  --)", run(ROCPROFV3, "--help").stdout)[1:]:
        name = re.match(r"  (--[a-z0-9-]+)", block)
        options[name[1]] = "(not supported)" not in block
    return options


def listed_tests(program):
    """"Suite.Name" of every test in a program of GoogleTest."""
    suite, names = "", set()
    for line in run(program, "--gtest_list_tests").stdout.splitlines():
        name = line.split("#")[0].strip()
        if line.startswith("  "):
            names.add(suite + name)
        elif name.endswith("."):
            suite = name
    return names


def test_names():
    """The names of all tests that ctest runs: its own names, and those inside its programs and Python files."""
    listed = run("ctest", "--test-dir", BUILD, "--show-only=json-v1").stdout
    tests = [test for test in json.loads(listed)["tests"] if "command" in test]
    names = {test["name"] for test in tests}
    for word in {word for test in tests for word in test["command"][:2]}:
        path = pathlib.Path(word)
        if path.name.endswith("_test.py"):
            names |= set(re.findall(r"^    def (test_\w+)", path.read_text(), re.MULTILINE))
        elif path.name.endswith("_test") and path.parent == BUILD / "bin":
            names |= listed_tests(path)
    return names


def rows(section=None):
    """(first cell, second, third) of every row of the page's tables, or of those below one heading."""
    heading = None
    for line in PAGE.read_text().splitlines():
        if line.startswith("## "):
            heading = line[3:]
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if len(cells) == 3 and cells[1] in ("served", "refused", "not done") and section in (None, heading):
            yield cells


UPSTREAM = ROOT / "spec" / "rocprofv3"


def upstreams_options():
    """Every option of AMD's rocprofv3, of each version that spec/rocprofv3 has, with its short forms."""
    options = []
    for path in sorted(UPSTREAM.glob("options-*.txt")):
        options += [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return options


def accepted():
    """[id, what, beginning of a row, state, tests or reason] of each line of the list of acceptance."""
    lines = (UPSTREAM / "acceptance.txt").read_text().splitlines()
    return [line.split(" | ") for line in lines if line and not line.startswith("#")]


# The lines of the two parts of AMD's manuals.
RANGES = {"E": ((1, 5), (10, 27), (30, 43), (50, 63), (66, 68), (70, 74), (80, 85)), "F": ((1, 21),)}
WANTED = [f"{part}{number:02}" for part, ranges in RANGES.items() for first, last in ranges
         for number in range(first, last + 1)]


class Acceptance(unittest.TestCase):
    def test_every_line_of_the_manuals_is_there_once_for_each_part(self):
        lines = accepted()
        self.assertEqual([line for line in lines if len(line) != 5], [])
        ids = [line[0] for line in lines]
        self.assertEqual(sorted({one for one in ids if one[0] in RANGES}), sorted(WANTED))
        self.assertEqual(ids, sorted(ids))
        self.assertEqual(len({(line[0], line[1]) for line in lines}), len(lines))

    def test_every_line_has_its_row_with_the_same_state_and_tests(self):
        page = rows()
        page = list(page)
        for name, what, row, state, how in accepted():
            with self.subTest(name, what=what):
                found = [cells for cells in page if re.match(re.escape(row) + r"(?![\w-])", cells[0])]
                self.assertEqual(len(found), 1, f"rows that begin with {row}")
                ((_, found_state, found_how),) = found
                self.assertIn(state, ("served", "refused"))
                self.assertEqual(found_state == "served", state == "served")
                named = set(re.findall(r"`([\w.]+)`", found_how))
                if state == "served":
                    self.assertEqual(set(how.split()) - named, set())
                else:
                    self.assertIn(how, found_how)

    def test_every_option_of_the_program_is_in_a_line(self):
        own = {"--vgpu", "--compat", "--keep-going"}
        states = {option: state == "served" for _, what, _, state, _ in accepted()
                  for option in re.findall(r"`(--[a-z0-9-]+)`", what)}
        self.assertEqual(states, {option: served for option, served in program_options().items() if option not in own})

    def test_a_line_a_row_a_test_or_an_option_that_is_missing_is_found(self):
        global UPSTREAM, PAGE
        self.addCleanup(globals().__setitem__, "UPSTREAM", UPSTREAM)
        self.addCleanup(globals().__setitem__, "PAGE", PAGE)
        text = (UPSTREAM / "acceptance.txt").read_text()
        page = PAGE.read_text()
        UPSTREAM = make_folder(self)
        PAGE = UPSTREAM / "page.md"
        PAGE.write_text(page)
        for old, new, check in (
                (r"^E20 .*\n", "", self.test_every_line_of_the_manuals_is_there_once_for_each_part),
                (r"^(E20 .*)$", r"\1\n\1", self.test_every_line_of_the_manuals_is_there_once_for_each_part),
                (r"\| `--kernel-trace` \|", "| `--kernels` |", self.row_fails),
                ("test_kernels_are_those_of_the_trace", "test_of_nothing", self.row_fails),
                (r"\| refused \| thread trace is not supported$", "| served | test_of_nothing", self.row_fails),
                (r"`--echo` \| `", "` | `", self.test_every_option_of_the_program_is_in_a_line)):
            changed = re.sub(old, new, text, count=1, flags=re.MULTILINE)
            self.assertNotEqual(changed, text, old)
            (UPSTREAM / "acceptance.txt").write_text(changed)
            with self.subTest(old, new=new), self.assertRaises(AssertionError):
                check()

    def row_fails(self):
        """The check of rows, whose subtests would otherwise end up in this test's result."""
        check = Acceptance("test_every_line_has_its_row_with_the_same_state_and_tests")
        result = unittest.TestResult()
        check.run(result)
        self.assertTrue(result.wasSuccessful(), result.failures)


class Page(unittest.TestCase):
    def test_every_option_of_amds_is_there_with_its_short_forms(self):
        ours = [set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", line.split("  ")[1]))
                for line in run(ROCPROFV3, "--help").stdout.splitlines() if line.startswith("  --")]
        options = upstreams_options()
        self.assertGreater(len(options), 100)
        self.assertEqual([names for names in options if not any(set(names) <= known for known in ours)], [])

    def test_every_option_is_there_as_the_program_has_it(self):
        documented = {}
        for what, state, _ in rows("Options"):
            for option in re.findall(r"`(--[a-z0-9-]+)`", what):
                self.assertNotIn(option, documented, "an option in two rows")
                documented[option] = state == "served"
        self.assertEqual(documented, program_options())

    def listed(self, heading):
        """The items that the program lists below a heading of its help."""
        block = re.search(rf"\n{re.escape(heading)}[^\n]*\n((?:  [^\n]*\n)+)", run(ROCPROFV3, "--help").stdout)
        self.assertIsNotNone(block, heading)
        return block[1].split()

    def named(self, section, state):
        return [name for what, found, _ in rows(section) for name in re.findall(r"`([^`]+)`", what.split(": ")[0])
                if found == state]

    def test_every_key_of_names_is_there(self):
        keys = [name for what, _, _ in rows("Keys in names") for name in re.findall(r"`([%$][^`]+)`", what)]
        self.assertEqual(sorted(set(keys) - {"%arg1%"}), sorted(self.listed("Keys in names of files")))

    def test_every_file_of_csv_is_there(self):
        self.assertEqual(sorted(self.named("Files of CSV", "served")), sorted(self.listed("Files of CSV")))

    def test_every_key_of_input_files_is_there(self):
        text = [what for what, _, _ in rows("Keys of input files")]
        others = {name for what in text[1:] for name in re.findall(r"`([a-z_]+)`", what)}
        self.assertEqual(sorted(others), sorted(self.listed("Keys of input files")))
        self.assertEqual(set(re.findall(r"`([a-z_]+)`", text[0])), {"input", "help", "version"})

    def test_every_function_of_roctx_and_kokkos_is_there(self):
        named = {name for what, _, _ in rows("ROCTx, Kokkos, ranks and graphs")
                 for name in re.findall(r"`(\w+)`", what)}
        for library in ("libroctx64.so.4", "librocprofiler-sdk-roctx.so.1", "librtl_kokkos.so"):
            text = run("nm", "-D", "--defined-only", BUILD / "lib" / library).stdout
            functions = set(re.findall(r" T ((?:roctx|kokkosp)\w+)", text))
            self.assertGreater(len(functions), 10, library)
            self.assertEqual(functions - named, set(), library)

    def test_every_domain_is_there(self):
        source = (ROOT / "src/export/tool/domains.cpp").read_text()
        table = source[source.index("kDomains[kDomainCount]"):source.index(
            "};", source.index("kDomains[kDomainCount]"))]
        domains = set(re.findall(r'\{Domain::k\w+, "([A-Z_]+)"', table))
        self.assertGreater(len(domains), 7)
        served = {name for what, state, _ in rows("Behaviour") if what.startswith("Domains") and state == "served"
                  for name in re.findall(r"`([A-Z_]+)`", what)}
        self.assertEqual(served, domains)

    def test_a_line_that_is_missing_is_found(self):
        """This page without one of its rows fails."""
        global PAGE
        page, text = PAGE, PAGE.read_text()
        checks = {"| `--kernel-trace` ": self.test_every_option_is_there_as_the_program_has_it,
                  "| `%hostname%`": self.test_every_key_of_names_is_there,
                  "| `coverage.csv`": self.test_every_file_of_csv_is_there,
                  "| `pmc_groups`": self.test_every_key_of_input_files_is_there,
                  "| `roctxMarkA`": self.test_every_function_of_roctx_and_kokkos_is_there,
                  "| Kokkos: `kokkosp_init": self.test_every_function_of_roctx_and_kokkos_is_there,
                  "| Domains: `HIP_API`": self.test_every_domain_is_there}
        # An option that AMD's has is missing here once it is in the list.
        global UPSTREAM
        self.addCleanup(globals().__setitem__, "UPSTREAM", UPSTREAM)
        self.addCleanup(globals().__setitem__, "PAGE", page)
        UPSTREAM = make_folder(self)
        PAGE = UPSTREAM / "page.md"
        for beginning, check in checks.items():
            lines = [line for line in text.splitlines() if not line.startswith(beginning)]
            self.assertEqual(len(lines), len(text.splitlines()) - 1, beginning)
            PAGE.write_text("\n".join(lines))
            with self.subTest(beginning), self.assertRaises(AssertionError):
                check()
        listed = ["--kernel-trace"] * 100 + ["--no-such-option -x"]
        (UPSTREAM / "options-9.9.txt").write_text("\n".join(listed) + "\n")
        with self.assertRaises(AssertionError) as failed:
            self.test_every_option_of_amds_is_there_with_its_short_forms()
        self.assertIn("--no-such-option", str(failed.exception))

    def test_served_rows_name_their_tests(self):
        known = test_names()
        self.assertGreater(len(known), 1000)
        for what, state, how in rows():
            named = re.findall(r"`([\w.]+)`", how)
            if state == "served":
                self.assertTrue(named, f"{what}: no test is named")
                self.assertEqual([name for name in named if name not in known], [], what)
            else:
                self.assertTrue(how, f"{what}: no reason")

    def test_the_guide_recommends_only_what_is_served(self):
        options = program_options()
        verbs = set(re.findall(r"^  ([a-z]+) ", rtl("--help").stdout, re.MULTILINE))
        commands = [command for line in GUIDE.read_text().splitlines() if line.startswith("| ")
                    for command in re.findall(r"`((?:rtl|rocprofv3) [^`]+)`", line.split(" | ", 1)[1])]
        self.assertGreater(len(commands), 15)
        for command in commands:
            with self.subTest(command):
                program, *words = command.split(" -- ")[0].split()
                if program == "rtl":
                    self.assertIn(words[0], verbs)
                    continue
                self.assertEqual([word for word in words if word.startswith("--") and not options.get(word)], [])


if __name__ == "__main__":
    main()
