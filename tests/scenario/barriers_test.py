#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""With --barriers every barrier packet of the application's queues is in the trace, by the virtual GPU's own account.

The device's log is independent of the tracer. The packets that the device completed on a queue must be those that the
trace has of that queue.

    RTL_BUILD=build/release barriers_test.py [--runtime NAME]
"""

import collections
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import completions  # noqa: E402
import frame  # noqa: E402
from frame import Case, facts_of, main  # noqa: E402

TYPES = {"KernelExecution": completions.KERNEL_DISPATCH, "BarrierAnd": completions.BARRIER_AND,
         "BarrierOr": completions.BARRIER_OR, "BarrierValue": completions.VENDOR_SPECIFIC}


class Barriers(Case):
    def trace(self, name, *options, **variables):
        program = self.program(name)
        for file in self.folder.iterdir():
            file.unlink()
        done = frame.trace(self.database, program, options=options, VGPU_COMPLETIONS=self.folder / "done", **variables)
        self.assertNotIn("do not add up", done.stderr)
        (log,) = self.folder.glob("done.*")
        return done, completions.CompletionLog(log)

    def recorded(self):
        """The types of each queue's packets, in their order."""
        rows = self.ask("SELECT o.queueId, coalesce(d.string, ''), t.string FROM rocpd_op o"
                        " JOIN rocpd_string d ON d.id = o.description_id JOIN rocpd_string t ON t.id = o.opType_id"
                        " WHERE o.queueId > 0 ORDER BY o.queueId, o.packet")
        queues = {}
        for queue, name, kind in rows:
            queues.setdefault(queue, []).append(TYPES[name if kind == "Barrier" else kind])
        return [tuple(types) for types in queues.values()]

    def completed(self, log):
        queues = {}
        for entry in sorted(log.entries, key=lambda entry: (entry.queue, entry.packet)):
            queues.setdefault(entry.queue, []).append(entry.type)
        return collections.Counter(tuple(types) for types in queues.values())

    def assert_all_recorded(self, name, least, **variables):
        done, log = self.trace(name, "--barriers", **variables)
        recorded = collections.Counter(self.recorded())
        self.assertEqual(recorded - self.completed(log), collections.Counter(), "the queues must match the device")
        tags = facts_of(self.database)
        count = self.ask("SELECT count(*) FROM rtl_barrier")[0][0]
        self.assertGreaterEqual(count, least)
        self.assertEqual((tags["submitted.barriers"], tags["recorded.barriers"]), (str(count), str(count)))
        self.assertIn(f"barriers: {count} submitted, {count} recorded, 0 lost", done.stderr)
        return log

    def test_each_kind_is_recorded_with_what_it_waited_for(self):
        log = self.assert_all_recorded("hsa_barriers", 4)
        self.assertEqual(self.ask("SELECT d.string, b.dependencies FROM rtl_barrier b JOIN rocpd_op o ON o.id = b.op_id"
                                  " JOIN rocpd_string d ON d.id = o.description_id ORDER BY o.packet"),
                         [("BarrierAnd", 2), ("BarrierOr", 2), ("BarrierValue", 1), ("BarrierAnd", 1)])
        barriers = [entry for entry in log.entries if entry.type != completions.KERNEL_DISPATCH][:4]
        took = [row[0] for row in self.ask("SELECT end - start FROM rocpd_op WHERE kernel_id = 0 ORDER BY packet")]
        for ns, entry in zip(took, barriers):
            self.assertGreater(ns, 25_000_000, "the program waited for 50 ms before it opened the barrier")
            self.assertAlmostEqual(ns, (entry.end - entry.start) * log.tick_ns(), delta=ns * 200e-6 + 20)

    def test_at_the_doorbell_as_well(self):
        self.assert_all_recorded("hsa_barriers", 4, RTL_QUEUE_METHOD="doorbell")

    def test_those_that_hip_writes_between_streams_are_recorded(self):
        for mode in ({}, {"RTL_MODE": "hip"}, {"RTL_APP_SIGNALS": "forward"}):
            with self.subTest(**mode):
                self.assert_all_recorded("streams_events", 5, **mode)

    def test_without_the_option_none_is_recorded_or_counted(self):
        done, _ = self.trace("hsa_barriers")
        self.assertEqual(self.ask("SELECT count(*) FROM rtl_barrier"), [(0,)])
        self.assertEqual(self.ask("SELECT value FROM rocpd_metadata WHERE tag = 'submitted.barriers'"), [("0",)])
        self.assertNotIn("barriers:", done.stderr)
        self.assertEqual(self.ask("SELECT count(*) FROM rocpd_op WHERE queueId > 0"), [(1,)])


if __name__ == "__main__":
    main()
