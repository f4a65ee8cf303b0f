#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl trace --delay, --duration, --while-range, --kernel, --gpu and --rank: what is recorded, and that the rest is
counted.

    RTL_BUILD=build/release window_test.py
"""

import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import ARE_KERNELS, PROGRAMS, RTL, Case, facts_of, main, refused, run, trace  # noqa: E402


class Traced(Case):
    def trace(self, *arguments, code=0):
        """The numbers of kernels and markers in the trace, and of those left out."""
        vgpu = [] if any(str(each).startswith("--vgpu") for each in arguments) else ["--vgpu"]
        command = [RTL, "trace", *vgpu, "--no-summary", "-o", self.database, *arguments]
        self.said = run(*command, code=code).stderr
        facts = facts_of(self.database)
        counts = []
        for kind in "kernels", "markers":
            submitted, recorded, paused = (int(facts[f"{name}.{kind}"]) for name in ("submitted", "recorded", "loss.kPaused"))
            self.assertEqual(submitted, recorded + paused, f"{kind} that are neither recorded nor left out")
            counts.append((recorded, paused))
        return counts


class Window(Traced):
    def markers(self, *arguments, code=0):
        return self.trace(*arguments, "--", PROGRAMS / "hsa_markers", code=code)

    def test_only_what_ran_while_a_range_was_open_is_recorded(self):
        kernels, markers = self.markers("--while-range", "kernel")
        self.assertEqual(kernels, (1, 0))
        self.assertEqual(markers, (3, 4), "kernel, and the parts of the two ranges around it")

    def test_every_thread_is_recorded_during_the_range(self):
        kernels, markers = self.markers("--while-range", "outer")
        self.assertEqual(kernels, (1, 0))
        self.assertEqual(markers, (4, 3), "outer, kernel, the range on another thread, a part of the one around all")

    def test_a_range_that_starts_here_and_stops_there_opens_the_window(self):
        kernels, markers = self.markers("--while-range", "from thread to thread")
        self.assertEqual(kernels, (1, 0))
        self.assertEqual(markers, (4, 3))

    def test_a_range_that_does_not_hold_the_kernel_leaves_it_out(self):
        kernels, markers = self.markers("--while-range", "on another thread", code=1)
        self.assertEqual(kernels, (0, 1))
        self.assertEqual(markers, (3, 4), "it, and the parts of the two ranges around it")

    def test_nothing_is_recorded_before_the_delay_is_over(self):
        kernels, markers = self.markers("--delay", "1h", code=1)
        self.assertEqual((kernels, markers), ((0, 1), (0, 7)))

    def test_an_empty_trace_is_right_when_recording_is_never_resumed(self):
        kernels, markers = self.markers("--paused")
        self.assertEqual((kernels, markers), ((0, 1), (0, 7)))
        self.assertTrue(self.said.endswith("rtl: the program did not resume recording (roctxProfilerResume) for any "
                                           "kernel: --paused left out the only kernel\n"), self.said)
        self.markers("--paused", "--min-coverage", "50", code=1)
        self.assertIn("rtl: 0.00 % of the kernels are in the trace; 50 % are required\n", self.said)

    def test_an_option_that_selects_nothing_is_named(self):
        for options, names in ((("--while-range", "none"), "--while-range"),
                               (("--paused", "--gpu", "7", "--delay", "1h"), "--gpu and --delay"),
                               (("--kernel", "none", "--gpu", "7", "--rank", "3"), "--kernel, --gpu and --rank")):
            with self.subTest(names):
                kernels, _ = self.markers(*options, code=1)
                self.assertEqual(kernels, (0, 1))
                self.assertTrue(self.said.endswith(f"rtl: {names} left out the only kernel of the program\n"),
                                self.said)

    def test_everything_is_recorded_within_the_duration(self):
        kernels, markers = self.markers("--duration", "3600")
        self.assertEqual((kernels, markers), ((1, 0), (7, 0)))

    def test_a_window_in_the_middle(self):
        program = self.program("slow_steps")
        before = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        done = trace(self.database, program, options=("--delay", "100ms", "--duration", "300ms"), code=None)
        self.assertIn(done.returncode, (0, 1), "1: a busy machine ran no kernel in the window")
        ((started,),) = self.ask("SELECT started FROM rtl_process")
        ((recorded, first, last),) = self.ask("SELECT count(*), min(submit), max(submit) FROM rocpd_op "
                                              f"WHERE {ARE_KERNELS}")
        kernels = [int(value) for value, in self.ask(
            "SELECT value FROM rocpd_metadata WHERE tag IN ('recorded.kernels', 'loss.kPaused.kernels')")]
        self.assertEqual(sum(kernels), 20)
        if recorded:
            self.assertGreaterEqual(first, before + 100_000_000)
            self.assertLess(last, started + 400_000_000)


class Choice(Traced):
    """rtl trace --kernel, --gpu, --rank: events outside the selection have no row, and are counted."""

    def kernels_by(self, column):
        return dict(self.ask(f"""SELECT {column}, count(*) FROM rocpd_op o JOIN rocpd_string s
            ON s.id = o.description_id JOIN rocpd_string t ON t.id = o.opType_id
            WHERE t.string = 'KernelExecution' GROUP BY 1"""))

    def missing_by_queue(self):
        """For each queue: submitted, recorded, and the losses that the trace names."""
        return self.ask("""SELECT q.submitted, q.recorded, (SELECT coalesce(sum(l.events), 0) FROM rtl_queue_loss l
            WHERE l.queue_id = q.id) FROM rtl_queue q""")

    def test_kernels_of_a_name(self):
        program = self.program("slow_steps")
        kernels, markers = self.trace("--kernel", "no_such_kernel|poly+nomial", "--", program)
        self.assertEqual(kernels[0], 20)
        self.assertEqual(markers[1], 0, "a kernel's name chooses kernels")
        for submitted, recorded, lost in self.missing_by_queue():
            self.assertEqual(submitted, recorded + lost)
        kernels, _ = self.trace("--kernel", "no_such_kernel", "--", program, code=1)
        self.assertEqual(kernels[0], 0)
        self.assertGreater(kernels[1], 19)

    def test_one_of_two_gpus(self):
        program = self.program("two_gpus")
        all_of_them, _ = self.trace("--vgpu=2", "--", program)
        by_gpu = self.kernels_by("o.gpuId")
        self.assertEqual(set(by_gpu), {0, 1})
        copies = self.ask("SELECT count(*) FROM rtl_copy WHERE 1 IN (dst_gpu, src_gpu)")
        kernels, _ = self.trace("--vgpu=2", "--gpu", "1", "--", program)
        self.assertEqual(kernels, (by_gpu[1], by_gpu[0]))
        self.assertEqual(sum(kernels), all_of_them[0])
        self.assertEqual(self.kernels_by("o.gpuId"), {1: by_gpu[1]})
        self.assertEqual(self.ask("SELECT count(*) FROM rtl_copy"), copies)
        for submitted, recorded, lost in self.missing_by_queue():
            self.assertEqual(submitted, recorded + lost)

    def test_one_of_two_ranks(self):
        markers = PROGRAMS / "hsa_markers"
        both = "for i in 0 1; do RANK=$i WORLD_SIZE=2 TORCHELASTIC_RUN_ID=j \"$0\" & done; wait"
        kernels, marks = self.trace("--rank", "1", "--", "sh", "-c", both, markers)
        self.assertEqual((kernels, marks), ((1, 1), (7, 7)))
        self.assertEqual(self.kernels_by("o.rank"), {1: 1})
        processes = self.ask("SELECT count(*) FROM rtl_process WHERE rank >= 0")
        self.assertEqual(processes, [(2,)], "the one that is left out is known")


class Arguments(unittest.TestCase):
    def test_wrong_options_are_one_line(self):
        for wrong in (["--delay", "soon"], ["--duration", "-1"], ["--while-range", ""], ["--while-range", "x" * 300],
                      ["--delay", "1s", "--mode", "clr"]):
            refused(RTL, "trace", *wrong, "--", "true", code=2)


if __name__ == "__main__":
    main(PROGRAMS / "hsa_markers")
