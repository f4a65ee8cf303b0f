#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""However a program under rocprofv3 ends, and however many processes it becomes: each process has complete files, in
every format.

    RTL_BUILD=build/release endings_test.py [--runtime NAME]
"""

import os
import shutil
import signal
import subprocess
import unittest

import case
import foreground
import formats
from case import LIMIT_SECONDS, RUNTIME, Case, main, rows_of, run, start

OPTIONS = ("--vgpu", "--kernel-trace", "--group-by-queue", "-f", *formats.EVERY)


class Endings(Case):
    def kernels(self, folder):
        """The number of kernels in each process's files; every format has the same ones."""
        counts = []
        for path in sorted(folder.rglob("*_results.json")):
            found = formats.all_formats(path.parent, path.name.removesuffix("_results.json"))
            for format, kinds in found.items():
                self.assertEqual(kinds["kernel_dispatch"], found["csv"]["kernel_dispatch"], f"{path}: {format}")
            counts.append(len(found["csv"]["kernel_dispatch"]))
        files = len([path for path in folder.rglob("*_results.*") if path.is_file()])
        self.assertEqual(files, 5 * len(counts), "json, rocpd, pftrace, and two of OTF2")
        self.assert_nothing_hidden(folder)
        return sorted(counts)

    def test_however_a_program_ends_its_files_are_complete(self):
        program = self.program("way_out")
        for way, code in (("exit_now", 3), ("kill", 128 + signal.SIGKILL), ("terminate", 128 + signal.SIGTERM),
                          ("abort", 128 + signal.SIGABRT)):
            with self.subTest(way):
                folder = self.make_folder()
                done = run(*OPTIONS, "-d", folder, program=[program, way])
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(self.kernels(folder), [1000])

    def ended_by(self, number, send):
        """The files of a program that waits for a signal; `send` sends it."""
        folder = self.make_folder()
        with start(*OPTIONS, "-d", folder, program=[self.program("way_out"), "wait"]) as process:
            foreground.read_until(process, "waiting\n", LIMIT_SECONDS)
            send(process.pid, number)
            _, said = foreground.finish(process, LIMIT_SECONDS)
        self.assertEqual(process.returncode, 128 + number, said)
        self.assertEqual(self.kernels(folder), [1000])

    def test_after_a_ctrl_c_the_files_are_complete(self):
        self.ended_by(signal.SIGINT, os.killpg)

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_a_signal_to_rocprofv3_ends_the_program_and_the_files_are_complete(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number):
                self.ended_by(number, os.kill)

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_ranks_that_run_at_the_same_time_have_files_of_their_own(self):
        folder = self.make_folder()
        ranks = [start(*OPTIONS, "-d", folder, "-o", "rank%rank%", program=[self.program("way_out"), "exit_now"],
                       OMPI_COMM_WORLD_RANK=str(rank), OMPI_COMM_WORLD_SIZE="3") for rank in range(3)]
        for process in ranks:
            with process:
                _, said = foreground.finish(process, LIMIT_SECONDS)
            self.assertEqual(process.returncode, 3, said)
        self.assertEqual(sorted(path.name for path in folder.glob("*_kernel_trace.csv")),
                         [f"rank{rank}_kernel_trace.csv" for rank in range(3)])
        self.assertEqual(self.kernels(folder), [1000, 1000, 1000])

    def test_a_program_that_becomes_another_has_two_sets_of_files(self):
        folder = self.make_folder()
        done = run(*OPTIONS, "-d", folder, "-o", "x", program=[self.program("way_out"), "exec"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.kernels(folder), [1000, 1000])
        self.assertIn("another process of this run has", done.stderr)

    def test_forked_children_have_files_of_their_own(self):
        """Two children and their parent run the same kernel once each. Newer versions of HIP copy by kernels, too."""
        folder = self.make_folder()
        done = run(*OPTIONS, "-d", folder, "-o", "%pid%", program=[self.program("fork_first")])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.kernels(folder)), 3)
        files = list(folder.glob("*_kernel_trace.csv"))
        self.assertEqual(len(files), 3)
        for file in files:
            kernels = [row["Thread_Id"] for row in rows_of(file) if row["Kernel_Name"].startswith("Square(")]
            self.assertEqual(kernels, [file.name.split("_")[0]])

    def test_every_process_has_its_files(self):
        folder = self.make_folder()
        done = run(*OPTIONS, "-d", folder, "-o", "%pid%", program=[self.program("processes"), "2"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.kernels(folder)), 3)
        files = sorted(folder.rglob("*_kernel_trace.csv"))
        self.assertEqual(len(files), 3)
        for file in files:
            self.assertEqual({r["Thread_Id"] for r in rows_of(file)}, {file.name.split("_")[0]})

    @unittest.skipIf(RUNTIME is not None, "needs no runtime")
    def test_the_next_run_removes_what_a_killed_rocprofv3_left(self):
        folder = self.make_folder()
        killed = run("--kernel-trace", "-d", folder, program=["sh", "-c", "kill -KILL $PPID"])
        self.assertEqual(killed.returncode, -signal.SIGKILL)
        (left,) = folder.iterdir()
        done = run("--kernel-trace", "-d", folder, program=["true"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"rocprofv3: removed {left.name}, left by a rocprofv3 that was killed", done.stderr)
        self.assert_nothing_hidden(folder)

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_a_full_disk_leaves_nothing_half_written(self):
        """On a file system of a few megabytes: too little for the records, then for the files of every format."""
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
            self.skipTest("needs the right to mount")
        script = ('mount -t tmpfs -o size="$1" none "$2" && folder=$2 && shift 2 && "$@"; code=$?; ls -AR "$folder"; '
                  'exit $code')
        for size, said_of in (("256k", "is not traced: .*No space left on device"),
                              ("9m", "x_results.json: writing failed: No space left on device"),
                              ("12m", "cannot write .*x_results.db: the disk is full")):
            with self.subTest(size):
                folder = self.make_folder()
                command = case.command_of((*OPTIONS, "-d", folder, "-o", "x"), [self.program("kernel_flood"), "20000"])
                with foreground.start(["unshare", "--mount", "sh", "-c", script, "-", size, folder, *command],
                                      env=case.environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      text=True) as process:
                    listed, said = foreground.finish(process, LIMIT_SECONDS)
                self.assertNotEqual(process.returncode, 0)
                self.assertRegex(said, said_of)
                self.assertEqual(listed, f"ok every fourth kernel counted once, in order\n{folder}:\n")

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_signals_that_a_background_job_ignores_are_not_ignored_here(self):
        """A script starts a background job with SIGINT ignored, and a test's children would inherit that."""
        shown = 'import signal; print(signal.getsignal(signal.SIGINT) == signal.SIG_IGN)'
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        python = shutil.which("python3")
        self.assertEqual(subprocess.check_output([python, "-c", shown], text=True), "True\n")
        with foreground.start([python, "-c", shown], stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(foreground.finish(process, LIMIT_SECONDS)[0], "False\n")

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_a_program_that_does_not_end_is_killed_with_its_children(self):
        process = foreground.start(["sh", "-c", "sleep 1000 & echo $!; wait"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        with process:
            child = process.stdout.readline().strip()
            with self.assertRaisesRegex(AssertionError, "did not end"):
                foreground.finish(process, 0.1)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        state = subprocess.run(["ps", "-o", "stat=", "-p", child], capture_output=True, text=True).stdout
        self.assertIn(state[:1], ("", "Z"))


if __name__ == "__main__":
    main()
