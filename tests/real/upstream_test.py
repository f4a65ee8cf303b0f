#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How upstream.py compares the results of AMD's tests with its list of those that do not pass, and what stands in for
Perfetto's program; without a GPU."""

import pathlib
import sys
import tempfile
import unittest

import upstream

LIST = """# A comment.

sdk-trace-*          failed    wants a table of HIP's
decode-validate      not-run   the library is not installed
sampling             unsteady  too long on a loaded machine
"""


def compare(ends):
    names = dict.fromkeys(["decode-validate", "sampling", "sdk-trace-a", *ends])
    return upstream.complaints(upstream.read_known(LIST), ends, names)


class Known(unittest.TestCase):
    def test_lines_have_a_pattern_an_ending_and_a_cause(self):
        known = upstream.read_known(LIST)
        self.assertEqual(known[0], ("sdk-trace-*", "failed", "wants a table of HIP's"))
        self.assertEqual([line.ending for line in known], ["failed", "not-run", "unsteady"])

    def test_a_line_without_a_cause_or_with_another_ending_is_refused(self):
        for text in ("name failed\n", "name broken for some reason\n", "name\n"):
            with self.assertRaisesRegex(ValueError, r"^upstream_known.txt:1: .* failed, not-run, unsteady,"):
                upstream.read_known(text)

    def test_the_list_in_the_tree_can_be_read(self):
        known = upstream.read_known(upstream.KNOWN.read_text())
        self.assertEqual(len(known), len({line.pattern for line in known}))

    def test_a_package_with_which_nothing_can_be_configured_is_no_skip(self):
        self.assertIsInstance(upstream.configure_error("CMake Error: Failed to clone repository"), upstream.Unavailable)
        self.assertIsInstance(upstream.configure_error("CMake Error: Could not find rocprofiler-sdk"), upstream.Broken)

    def test_results_as_listed_are_right(self):
        self.assertEqual(compare({"sdk-trace-a": ("failed", "assert"), "sdk-trace-b": ("failed", ""),
                                  "decode-validate": ("not run", ""), "other": ("passed", "all is well")}), [])

    def test_a_test_that_is_not_listed_and_does_not_pass_is_named(self):
        self.assertEqual(compare({"other": ("failed", "assert 1 == 2")}), ["other: failed: assert 1 == 2"])
        self.assertEqual(compare({"other": ("not run", "")}), ["other: not run"])

    def test_a_listed_test_that_passes_is_named(self):
        self.assertEqual(compare({"sdk-trace-b": ("passed", "ok")}),
                         ["sdk-trace-b: passed, but listed as failed (wants a table of HIP's)"])

    def test_a_listed_test_that_ends_in_another_way_is_named(self):
        self.assertEqual(compare({"decode-validate": ("failed", "no file")}),
                         ["decode-validate: failed: no file, but listed as not-run (the library is not installed)"])

    def test_an_unsteady_test_may_end_in_any_way(self):
        for ended in ("passed", "failed", "not run"):
            self.assertEqual(compare({"sampling": (ended, "")}), [])

    def test_a_line_without_a_test_is_named_and_tests_that_are_left_out_are_not(self):
        self.assertEqual(upstream.complaints(upstream.read_known(LIST), {}, ["sdk-trace-a", "sampling"]),
                         ["decode-validate: listed, and no test has this name"])

    def test_the_first_line_that_matches_counts(self):
        known = upstream.read_known("a-b unsteady sometimes\na-* failed always\n")
        self.assertEqual(upstream.complaints(known, {"a-b": ("passed", ""), "a-c": ("failed", "")}, ["a-b", "a-c"]), [])


def message(*fields):
    """Of pairs of number and value, numbers below 128 or bytes."""
    text = b""
    for number, value in fields:
        wire = 0 if isinstance(value, int) else 2
        key = number << 3 | wire
        text += bytes([key] if key < 128 else [key & 127 | 128, key >> 7])
        text += bytes([value]) if wire == 0 else bytes([len(value)]) + value
    return text


def packet(*fields):
    return message((1, message(*fields)))


def event(time, kind, *name):
    return packet((8, time), (10, 7), (11, message((9, kind), *name)))


class TraceProcessor(unittest.TestCase):
    def read(self, *packets):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            upstream.write_trace_processor(folder)
            (folder / "file").write_bytes(b"".join(packets))
            sys.path.insert(0, name)
            try:
                from perfetto.trace_processor import TraceProcessor
                return TraceProcessor(str(folder / "file"))
            finally:
                sys.path.remove(name)

    def test_slices_nest_on_tracks_of_their_process_and_thread(self):
        process = packet((60, message((1, 1), (3, message((1, 20))))))
        thread = packet((60, message((1, 2), (5, 1), (4, message((1, 20), (2, 21))))))
        start = packet((10, 7), (41, 1), (59, message((11, message((11, 2))))),
                       (12, message((1, message((1, 1), (2, b"hip"))), (2, message((1, 1), (2, b"outer"))))))
        named, inner = ((3, 1), (10, 1)), ((3, 1), (23, b"inner"))
        reader = self.read(process, thread, start, event(5, 1, *named), event(2, 1, *inner), event(1, 2), event(3, 2),
                           event(1, 3, *inner))
        slices = reader.query("SELECT ts, dur, depth, category, name FROM slice").rows
        self.assertEqual(slices, [(5, 6, 0, "hip", "outer"), (7, 1, 1, "hip", "inner"), (12, 0, 0, "hip", "inner")])
        stacks = reader.query("SELECT stack_id, parent_stack_id FROM slice").rows
        self.assertEqual([stacks[1][1], stacks[2][1]], [stacks[0][0], 0])
        self.assertEqual(reader.query("SELECT pid FROM process").rows, [(20,)])
        tracks = reader.query("SELECT tid, is_main_thread, p.id = t.parent_id FROM thread JOIN thread_track t "
                              "USING (utid) JOIN process_track p").rows
        self.assertEqual(tracks, [(21, 0, 1)])


if __name__ == "__main__":
    unittest.main()
