#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""However a program under rocprofv3 ends, and however many processes it becomes: each process has complete files, in
every format.

    RTL_BUILD=build/release endings_test.py [--runtime NAME]
"""

import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import unittest

import case
import foreground
import formats
import frame
from case import LIMIT_SECONDS, Case, rows_of, run, start
from frame import BUILD, RTL, RUNTIME, facts_of, main, need_mounts, rtl
from processes import state_of

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
                run(*OPTIONS, "-d", folder, program=[program, way], code=code)
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
        self.assertEqual(self.kernels(folder), [1000, 1000])
        self.assertIn("another process of this run has", done.stderr)

    def test_forked_children_have_files_of_their_own(self):
        """Two children and their parent run the same kernel once each. Newer versions of HIP copy by kernels, too."""
        folder = self.make_folder()
        run(*OPTIONS, "-d", folder, "-o", "%pid%", program=[self.program("fork_first")])
        self.assertEqual(len(self.kernels(folder)), 3)
        files = list(folder.glob("*_kernel_trace.csv"))
        self.assertEqual(len(files), 3)
        for file in files:
            kernels = [row["Thread_Id"] for row in rows_of(file) if row["Kernel_Name"].startswith("Square(")]
            self.assertEqual(kernels, [file.name.split("_")[0]])

    def test_every_process_has_its_files(self):
        folder = self.make_folder()
        run(*OPTIONS, "-d", folder, "-o", "%pid%", program=[self.program("processes"), "2"])
        self.assertEqual(len(self.kernels(folder)), 3)
        files = sorted(folder.rglob("*_kernel_trace.csv"))
        self.assertEqual(len(files), 3)
        for file in files:
            self.assertEqual({r["Thread_Id"] for r in rows_of(file)}, {file.name.split("_")[0]})

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_the_next_run_names_what_a_killed_rocprofv3_left(self):
        """`docker stop` and Slurm kill the tool and the program."""
        folder = self.make_folder()
        with start(*OPTIONS, "-d", folder, program=[self.program("way_out"), "wait"]) as process:
            foreground.read_until(process, "waiting\n", LIMIT_SECONDS)
            os.killpg(process.pid, signal.SIGKILL)
            foreground.finish(process, LIMIT_SECONDS)
        (left,) = folder.iterdir()
        case.wait_until_gone(left / "spool")
        for _ in range(2):
            done = run("--kernel-trace", "-d", folder, program=["true"])
            command = f"rtl collect --spool {left}/spool --output FILE.db"
            self.assertIn(f"rocprofv3: an earlier run was killed and left its records in {left}; this makes the "
                          f"database of them: {command}\n", done.stderr)
        database = folder / "found.db"
        words = command.replace("FILE.db", str(database)).split()
        rtl(*words[1:])
        self.assertEqual(facts_of(database)["recorded.kernels"], "1000")
        done = run("--kernel-trace", "-d", folder, program=["true"], code=None)
        self.assertNotIn("earlier run", done.stderr)
        self.assert_nothing_hidden(folder)

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_a_full_disk_leaves_nothing_half_written(self):
        """On a file system of a few megabytes: too little to begin, for the files, and for the database. The command
        in the last line brings back every kernel."""
        need_mounts(self)
        script = ('mount -t tmpfs -o size="$1" none "$2" && small=$2 && aside=$3 && shift 3 && "$@" 2>"$aside/said"; '
                  'code=$?; cat "$aside/said" >&2; find "$small" -type f ! -path "*/.rocprofv3-*"; '
                  'command=$(sed -n "s|.*: \\(rtl .*\\)|\\1|p" "$aside/said" | sed "s|NAME|$aside/x|; s|FILE.db|$aside/x.db|"); '
                  'PATH=$BIN:$PATH; $command; exit $code')
        for size, kernels, said_of in (("12m", 20, "no room: the trace needs at least 16 MB"),
                                       ("20m", 50000, "writing failed: No space left on device"),
                                       ("24m", 600000, "cannot write .*: the disk is full")):
            with self.subTest(size):
                small, aside = self.make_folder(), self.make_folder()
                command = case.command_of((*OPTIONS, "-d", small, "-o", "x"), [self.program("kernel_flood"), str(kernels)])
                with foreground.start(["unshare", "--mount", "sh", "-c", script, "-", size, small, aside, *command],
                                      env=case.environment({"BIN": str(BUILD / "bin")}), stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True) as process:
                    listed, said = foreground.finish(process, LIMIT_SECONDS)
                self.assertNotEqual(process.returncode, 0)
                self.assertRegex(said, said_of)
                self.assertNotIn(f"{small}/x_", listed)
                if kernels == 50000:
                    self.assertEqual(len(rows_of(aside / "x_kernel_trace.csv")), kernels + 1)
                elif kernels == 600000:
                    facts = facts_of(aside / "x.db")
                    self.assertGreater(int(facts["recorded.kernels"]), kernels // 2)
                    self.assertEqual(int(facts["submitted.kernels"]),
                                     int(facts["recorded.kernels"]) + int(facts["loss.kSpoolFull.kernels"]))

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_an_archive_on_a_full_disk_is_one_line(self):
        """The OTF2 library would print lines of its own."""
        need_mounts(self)
        small, aside = self.make_folder(), self.make_folder()
        run("--vgpu", "--kernel-trace", "-f", "db", "-d", aside, "-o", "x",
            program=[self.program("kernel_flood"), "50000"])
        (trace,) = aside.glob("*.db")
        done = frame.run("unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o size=1m none "$1" && exec "$2" '
                         'convert "$3" --to otf2 -o "$1/x"', "-", small, RTL, trace, code=1)
        self.assertRegex(done.stderr, f"^rtl: cannot write {small}/x_results: the disk is full\n$")

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_ranks_with_one_name_add_their_numbers(self):
        folder = self.make_folder()
        ranks = [start(*OPTIONS, "-d", folder, "-o", "x", program=[self.program("way_out"), "exit_now"],
                       SLURM_PROCID=str(rank), SLURM_NTASKS="3") for rank in range(3)]
        said = []
        for process in ranks:
            with process:
                said.append(foreground.finish(process, LIMIT_SECONDS)[1])
            self.assertEqual(process.returncode, 3, said)
        self.assertEqual(sorted(path.name for path in folder.glob("*_kernel_trace.csv")),
                         [f"x-rank{rank}_kernel_trace.csv" for rank in range(3)])
        self.assertEqual(self.kernels(folder), [1000, 1000, 1000])
        self.assertIn(f"each rank adds its number: {folder}/x-rank0\n", said[0])

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_runs_at_the_same_time_do_not_replace_each_others_files(self):
        """Neither those that are written at the same moment nor those of a run that has just ended. The files of an
        earlier run are replaced."""
        folder = self.make_folder()
        program = [self.program("way_out"), "wait"]
        for replaced in (False, True):
            runs = [start(*OPTIONS, "-d", folder, "-o", "x", program=program) for _ in range(3)]
            for process in runs:
                foreground.read_until(process, "waiting\n", LIMIT_SECONDS)
            said = ""
            for together in runs[:2], runs[2:]:
                for process in together:
                    os.kill(process.pid, signal.SIGINT)
                for process in together:
                    said += foreground.finish(process, LIMIT_SECONDS)[1]
            self.assertEqual(said.count(f": another rocprofv3 has {folder}/x"), 2, said)
            self.assertEqual(self.kernels(folder), [1000] * (5 if replaced else 3))

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_a_signal_while_the_files_are_written_keeps_the_trace(self):
        """The files are written into a pipe, so that writing waits here."""
        folder = self.make_folder()
        pipe = folder / "x_kernel_trace.csv"
        os.mkfifo(pipe)
        with start("--vgpu", "--kernel-trace", "--group-by-queue", "-f", "csv", "-d", folder, "-o", "x",
                   program=[self.program("kernel_flood"), "200000"]) as process:
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            self.addCleanup(os.close, reader)
            self.assertTrue(select.select([reader], [], [], LIMIT_SECONDS)[0])
            os.set_blocking(reader, True)
            os.kill(process.pid, signal.SIGTERM)
            while os.read(reader, 1 << 16):
                pass
            _, said = foreground.finish(process, LIMIT_SECONDS)
        self.assertEqual(process.returncode, 1, said)
        trace = re.search(r"the trace is in (\S+); this writes its files elsewhere: rtl convert --to csv -o NAME \1\n",
                          said)[1]
        self.assertEqual(facts_of(trace)["recorded.kernels"], "200001")

    @unittest.skipIf(RUNTIME is not None, "one runtime shows it")
    def test_each_trace_whose_files_cannot_be_written_is_named(self):
        folder = self.make_folder()
        script = 'touch "$1" && shift && exec "$@"'  # a file where the folder of the files would be
        for children, named in (1, 2), (4, 3):
            with self.subTest(children=children):
                done = run("--vgpu", "--kernel-trace", "-f", "csv", "-d", folder, "-o", "sub/x",
                           program=["sh", "-c", script, "-", folder / "sub", self.program("processes"), str(children)],
                           code=1)
                traces = re.findall(r"the trace is in (\S+); this writes its files elsewhere: rtl convert --to csv -o "
                                    r"NAME \1\n", done.stderr)
                self.assertEqual([facts_of(trace)["recorded.kernels"] for trace in traces], ["10"] * named)
                more = re.findall(r"rocprofv3: (\d) more such traces: (\S+)\n", done.stderr)
                (work,) = {pathlib.Path(trace).parent for trace in traces}
                self.assertEqual(more, [(str(1 + children - named), f"{work}/trace.*.db")] if children == 4 else [])
                self.assertEqual(len(list(work.glob("trace.*.db"))), 1 + children)
                (folder / "sub").unlink()
                shutil.rmtree(work)

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
            child = int(process.stdout.readline())
            with self.assertRaisesRegex(AssertionError, "did not end"):
                foreground.finish(process, 0.1)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.assertIn(state_of(child), ("X", "Z"))


if __name__ == "__main__":
    main()
