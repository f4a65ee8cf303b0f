#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The times that a traced program gets are the device's, by the virtual GPU's own log.

The log is independent of the tracer. Each test runs with each of the tracer's ways to keep an application's signals,
and with faults: completions that come late, interrupts that come late, a counter that drifts.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import completions  # noqa: E402
from frame import Case, main, trace  # noqa: E402

WAYS = ({}, {"RTL_APP_SIGNALS": "inplace"}, {"RTL_APP_SIGNALS": "forward"}, {"RTL_QUEUE_METHOD": "doorbell"})
FAULTS = ({}, {"VGPU_FAULTS": "delay:us=700,interrupt:us=300"}, {"VGPU_CLOCK_PPM": "90"})
# The runtime estimates the rate of the GPU's clock.
RATE_TOLERANCE = 200e-6
# And it may have a better estimate when the same time is queried again. Copies are further apart.
ASKED_LATER_NS = 5_000


class Times(Case):
    def run_traced(self, *command, **variables):
        """Its output, and the device's log."""
        program = self.program(command[0])
        for file in self.folder.iterdir():
            file.unlink()
        done = trace(self.database, program, *command[1:], VGPU_COMPLETIONS=self.folder / "done",
                     VGPU_DISPATCH_NS=50000, **variables)
        logs = list(self.folder.glob("done.*"))
        self.assertEqual(len(logs), 1, "one process used the device")
        return done.stdout.split(), completions.CompletionLog(logs[0])

    def copies(self):
        return self.ask("SELECT c.bytes, o.start, o.end FROM rtl_copy c JOIN rocpd_op o ON o.id = c.op_id"
                        " ORDER BY o.start")

    def rows(self):
        return self.ask("SELECT end - start FROM rocpd_op WHERE queueId > 0 ORDER BY queueId, packet")

    def test_signals_hold_what_the_device_wrote(self):
        for variables in [way | fault for way in WAYS for fault in FAULTS]:
            with self.subTest(**variables):
                words, log = self.run_traced("hsa_signal_log", "40", **variables)
                printed = list(zip(map(int, words[::2]), map(int, words[1::2])))
                (kernels,) = log.kernels().values()
                self.assertEqual(printed, [(kernel.start, kernel.end) for kernel in kernels])
                recorded = [took for (took,) in self.rows()]
                self.assertEqual(len(recorded), len(kernels))
                for took, kernel in zip(recorded, kernels):
                    self.assertTrue(self.is_same_time(took, kernel.end - kernel.start, log), (took, kernel))

    def test_copies_have_the_times_that_the_program_gets(self):
        for variables in ({}, {"RTL_APP_SIGNALS": "forward"}, *FAULTS[1:]):
            with self.subTest(**variables):
                words, _ = self.run_traced("hsa_copy_log", "40", **variables)
                printed = list(zip(*[map(int, words)] * 3))
                recorded = self.copies()
                self.assertEqual([copy[0] for copy in recorded], [copy[0] for copy in printed])
                self.assertEqual(len(printed), 40)
                for ours, theirs in zip(recorded, printed):
                    self.assertLess(abs(ours[1] - theirs[1]), ASKED_LATER_NS, (ours, theirs))
                    self.assertLess(abs(ours[2] - theirs[2]), ASKED_LATER_NS, (ours, theirs))

    def test_events_measure_the_devices_time(self):
        for variables in ({}, FAULTS[1], FAULTS[2], {"RTL_MODE": "hip"}):
            with self.subTest(**variables):
                words, log = self.run_traced("event_log", **variables)
                self.assertEqual(len(words), 50)
                measured = list(zip(words, self.kernels_of_events(log)[-len(words):]))
                exact = [self.is_same_time(float(word) * 1e6, kernel.end - first.end, log)
                         for word, (first, kernel) in measured]
                # When HIP finds the first event complete soon enough it takes the host's time for it, traced or not.
                self.assertGreater(exact.count(True), 25, measured)
                for word, (first, kernel) in measured:
                    ns = float(word) * 1e6
                    self.assertGreater(ns * (1 + RATE_TOLERANCE), (kernel.end - kernel.start - 2) * log.tick_ns())
                    self.assertLess(ns * (1 - RATE_TOLERANCE), (kernel.end - first.end + 2) * log.tick_ns())

    def kernels_of_events(self, log):
        """Each kernel behind the packet that HIP puts before it for its first event."""
        with_times = [entry for entry in log.entries if entry.signal != 0]
        pairs = zip(with_times, with_times[1:])
        return [(first, kernel) for first, kernel in pairs if kernel.type == completions.KERNEL_DISPATCH]

    def is_same_time(self, ns, ticks, log):
        took = ticks * log.tick_ns()
        return abs(ns - took) <= 2 * log.tick_ns() + RATE_TOLERANCE * took


if __name__ == "__main__":
    main()
