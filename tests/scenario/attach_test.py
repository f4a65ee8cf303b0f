#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl trace --pid and rocprofv3 --pid: a program that runs is traced for a while, and goes on.

The program runs ten kernels for each line that it is given, so the kernels before, within and after a window are
known.

    RTL_BUILD=build/release attach_test.py [--runtime NAME]
"""

import csv
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import foreground  # noqa: E402
from frame import (ARE_KERNELS, BUILD, IN_RUNTIME, PROGRAMS, ROCPROFV3, RTL, Case, ask,  # noqa: E402
                   environment_without, main, refused)
from processes import wait_for_files  # noqa: E402

LIMIT_SECONDS = 120
PROGRAM = PROGRAMS / "hsa_endings"
KERNELS = f"SELECT count(*) FROM rocpd_op WHERE {ARE_KERNELS}"


class Attached(Case):
    PROGRAM = [PROGRAM, "input"]

    def setUp(self):
        super().setUp()
        self.program = self.start(RTL_ATTACH="1")

    def start(self, **variables):
        library = BUILD / "lib"
        env = environment_without("RTL_")
        env |= {"LD_PRELOAD": str(library / "libvgpu.so"), "HSA_TOOLS_LIB": str(library / "librtl.so"),
                "HSA_TOOLS_ROCPROFILER_V1_TOOLS": "1", **variables}
        program = foreground.start([*IN_RUNTIME, *self.PROGRAM], env=env, cwd=self.folder, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(foreground.end, program, LIMIT_SECONDS)
        with foreground.limit(program, LIMIT_SECONDS):
            self.assertEqual(program.stdout.readline(), "ready\n")
        return program

    def run_kernels(self, word):
        self.program.stdin.write(word + "\n")
        self.program.stdin.flush()
        with foreground.limit(self.program, LIMIT_SECONDS):
            self.assertEqual(self.program.stdout.readline(), f"ten kernels ran: {word}\n")

    def attach(self, *options, tool=(RTL, "trace")):
        tracer = foreground.start([*tool, "--pid", str(self.program.pid), *options], text=True, cwd=self.folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(foreground.end, tracer, LIMIT_SECONDS)
        with foreground.limit(tracer, LIMIT_SECONDS):
            line = tracer.stderr.readline()
        self.assertIn(f"attached to process {self.program.pid}", line, tracer.stderr)
        return tracer

    def detach(self, tracer, how=signal.SIGINT):
        tracer.send_signal(how)
        with foreground.limit(tracer, LIMIT_SECONDS):
            said = tracer.stderr.read()
        self.assertEqual(tracer.wait(LIMIT_SECONDS), 0, said)
        return said

    def refused(self, why, *arguments, code=1):
        self.assertIn(why, refused(RTL, "trace", *arguments, code=code, folder=self.folder))

    def ask(self, path, sql):
        return ask(self.folder / path, sql)

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def end_of_program(self):
        self.program.stdin.close()
        self.assertEqual(self.program.wait(LIMIT_SECONDS), 0)
        # Messages of the runtime about its own leaks do not count.
        self.assertEqual([line for line in self.program.stderr if line.startswith("rtl")], [])


class Attach(Attached):
    def test_windows_have_what_happened_within_and_the_program_goes_on(self):
        self.run_kernels("before")
        tracer = self.attach("-o", "one.db")
        self.run_kernels("within")
        self.run_kernels("still")
        said = self.detach(tracer)
        self.assertIn("20 recorded", said)
        self.run_kernels("between")
        tracer = self.attach("-o", "two.db", "--no-summary")
        self.run_kernels("again")
        self.detach(tracer, signal.SIGTERM)
        self.run_kernels("behind")
        self.end_of_program()
        for path, inside, paused, left_out in (("one.db", 20, 10, 0), ("two.db", 10, 20, 20)):
            self.assertEqual(self.ask(path, KERNELS), [(inside,)])
            tags = dict(self.ask(path, "SELECT tag, CAST(value AS INTEGER) FROM rocpd_metadata"
                                       " WHERE tag LIKE '%.kernels'"))
            counted = [tags[f"{tag}.kernels"] for tag in ("submitted", "recorded", "loss.kPaused", "loss.kOutOfWindow")]
            self.assertEqual(counted, [inside + paused + left_out, inside, paused, left_out])
            self.assertEqual(self.ask(path, "SELECT pid FROM rtl_process"), [(self.program.pid,)])
            self.assertEqual(self.ask(path, "SELECT count(*) FROM rtl_agent WHERE is_gpu"), [(1,)])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["one.db", "two.db"])

    def test_a_background_job_of_a_script_ends_at_sigint(self):
        # Such a shell has its jobs ignore the signal.
        tracer = self.attach("-o", "t.db", tool=("env", "--ignore-signal=INT", RTL, "trace"))
        self.run_kernels("within")
        self.detach(tracer)
        self.assertEqual(self.ask("t.db", KERNELS), [(10,)])

    def test_a_window_ends_with_its_time_or_with_the_program(self):
        tracer = self.attach("-o", "timed.db", "--duration", "10ms")
        self.assertEqual(tracer.wait(LIMIT_SECONDS), 0)
        self.assertEqual(self.ask("timed.db", KERNELS), [(0,)])
        tracer = self.attach("-o", "last.db")
        self.run_kernels("last")
        self.end_of_program()
        self.assertEqual(tracer.wait(LIMIT_SECONDS), 0, tracer.stderr.read())
        self.assertEqual(self.ask("last.db", KERNELS), [(10,)])
        wait_for_files(self.folder, "last.db", "timed.db")

    def test_a_program_that_is_killed_leaves_its_window(self):
        tracer = self.attach("-o", "killed.db")
        self.run_kernels("last")
        self.program.kill()
        self.program.wait(LIMIT_SECONDS)
        said = tracer.stderr.read()
        self.assertEqual(tracer.wait(LIMIT_SECONDS), 0, said)
        self.assertEqual(self.ask("killed.db", KERNELS), [(10,)])
        wait_for_files(self.folder, "killed.db")

    def test_the_attached_tracer_may_be_killed(self):
        tracer = self.attach("-o", "none.db")
        self.refused(f"process {tracer.pid} is attached to it", "--pid", str(self.program.pid), "-o", "x.db")
        tracer.kill()
        tracer.wait(LIMIT_SECONDS)
        self.run_kernels("meanwhile")
        tracer = self.attach("-o", "next.db")
        self.run_kernels("within")
        self.detach(tracer)
        self.assertEqual(self.ask("next.db", KERNELS), [(10,)])
        self.end_of_program()
        self.assertEqual([path.name for path in self.folder.iterdir()], ["next.db"])

    def test_without_a_tracer_nothing_is_left(self):
        self.run_kernels("alone")
        self.end_of_program()
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_errors_are_one_line(self):
        pid = str(self.program.pid)
        self.refused("cannot be attached to", "--pid", str(os.getpid()))
        self.refused("cannot be written", "--pid", pid, "-o", "none/x.db")
        self.refused("takes the number of a process", "--pid", "name", code=2)
        self.refused("attaches to a running program", "--pid", pid, "--", "true", code=2)
        self.refused("what it records was set there", "--pid", pid, "--events", "hip")
        self.refused("--pmc must be set when the program starts", "--pid", pid, "--pmc", "SQ_WAVES", code=2)
        self.refused("--duration takes a time", "--pid", pid, "--duration", "soon", code=2)
        traced = self.start(RTL_OUTPUT=str(self.folder / "all.db"))
        self.refused("it is traced already", "--pid", str(traced.pid))

    def test_rocprofv3_writes_its_files_of_the_window(self):
        self.end_of_program()
        self.program = self.start(RTL_ATTACH="1", RTL_EVENTS="kernels,hsa")
        self.run_kernels("before")
        tracer = self.attach("--kernel-trace", "--hsa-trace", "-f", "csv", "-o", "w", tool=(ROCPROFV3,))
        self.run_kernels("within")
        self.detach(tracer)
        self.run_kernels("behind")
        self.assertEqual(len(self.rows("w_kernel_trace.csv")), 10)
        self.assertIn("hsa_signal_create", {row["Function"] for row in self.rows("w_hsa_api_trace.csv")})
        tracer = self.attach("--kernel-trace", "-f", "csv", "-o", "w", "--attach-duration-msec", "10", "-d", "second",
                             tool=(ROCPROFV3,))
        self.assertEqual(tracer.wait(LIMIT_SECONDS), 0)
        self.end_of_program()
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["second", *(f"w_{name}.csv" for name in ("agent_info", "coverage", "hsa_api_trace",
                                                                   "kernel_trace"))])


class Ranges(Attached):
    """Ranges that began before the window are there in the window, too, and do not hide those inside them."""
    PROGRAM = [PROGRAM.with_name("hsa_ranges")]

    def run_kernels(self, word):
        self.program.stdin.write(word + "\n")
        self.program.stdin.flush()
        with foreground.limit(self.program, LIMIT_SECONDS):
            self.assertEqual(self.program.stdout.readline(), f"a kernel ran: {word}\n")

    def test_around_a_window(self):
        self.run_kernels("before")
        for window in "one", "two":
            tracer = self.attach("-o", f"{window}.db", "--no-summary")
            self.run_kernels(f"within {window}")
            self.detach(tracer)
            self.run_kernels(f"after {window}")
        self.end_of_program()
        markers = """SELECT s.string, o.flags & 2, o.start, o.end FROM rocpd_op o
            JOIN rocpd_string s ON s.id = o.description_id JOIN rocpd_string t ON t.id = o.opType_id
            WHERE t.string = 'UserMarker' ORDER BY s.string"""
        times = []
        for window in "one", "two":
            ranges = {name: (started, begin, end) for name, started, begin, end in self.ask(f"{window}.db", markers)}
            self.assertEqual({name: row[0] for name, row in ranges.items()},
                             {"outer": 0, "started": 2, f"within {window}": 0})
            for name in "outer", "started":
                self.assertLessEqual(ranges[name][1], ranges[f"within {window}"][1])
                self.assertGreaterEqual(ranges[name][2], ranges[f"within {window}"][2])
                times.append(ranges[name][1:])
            tags = dict(self.ask(f"{window}.db", "SELECT tag, CAST(value AS INTEGER) FROM rocpd_metadata"
                                                 " WHERE tag LIKE '%.markers'"))
            self.assertEqual(tags["recorded.markers"], 3)
            losses = sum(events for tag, events in tags.items() if tag.startswith("loss."))
            self.assertEqual(tags["submitted.markers"], 3 + losses)
            self.assertEqual(losses, tags["loss.kPaused.markers"] + tags["loss.kOutOfWindow.markers"])
        self.assertLess(max(end for _, end in times[:2]), min(begin for begin, _ in times[2:]), "each has its part")


if __name__ == "__main__":
    main(PROGRAM)
