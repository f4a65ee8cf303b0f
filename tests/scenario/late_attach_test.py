#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl trace --pid of programs that were not prepared for it: the tracer comes, and leaves again.

    RTL_BUILD=build/release late_attach_test.py [--runtime NAME] [--times N]

Load means four threads that launch kernels all the time; the tracer comes and leaves N times then.
"""

import ctypes
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import foreground  # noqa: E402
from frame import (BUILD, IN_RUNTIME, PROGRAMS, RTL, RUNTIME, Case, ask, environment_without, main,  # noqa: E402
                   option, refused, rtl)

LIMIT_SECONDS = 120
TIMES = int(option("--times", "100" if os.environ.get("RTL_TEST_FULL") == "1" else "3"))
# HIP has tables from 6.0 on; that of the runtime 6.1 is older.
HAS_CALLS = RUNTIME not in (None, "6.1")
# HIP copies with kernels of its own on some runtimes.
KERNELS = """SELECT count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.description_id
    WHERE s.string LIKE '%count_up%'"""
LINKED = "SELECT count(*) FROM rocpd_api_ops"


class Late(Case):
    PROGRAM = ["served"]

    def start(self, *command, prefix=(), **variables):
        env = environment_without("RTL_") | {"LD_PRELOAD": str(BUILD / "lib" / "libvgpu.so"), **variables}
        program = foreground.start([*IN_RUNTIME, *prefix, *command], env=env, cwd=self.folder, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(foreground.end, program, LIMIT_SECONDS)
        return program

    def serve(self, **variables):
        program = self.start(PROGRAMS / "served", **variables)
        self.assertEqual(self.line(program), "ready")
        return program

    def line(self, program, of="stdout"):
        with foreground.limit(program, LIMIT_SECONDS):
            return getattr(program, of).readline().rstrip("\n")

    def say(self, program, words, answer):
        program.stdin.write(words + "\n")
        program.stdin.flush()
        self.assertRegex(self.line(program), answer)

    def attach(self, program, *options):
        tracer = foreground.start([RTL, "trace", "--pid", str(program.pid), *options], text=True, cwd=self.folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(foreground.end, tracer, LIMIT_SECONDS)
        said = self.line(tracer, "stderr")
        if program.poll() is not None:
            self.fail(f"{said}; it ended with {program.poll()}: {program.stdout.read()}{program.stderr.read()}")
        self.assertIn(f"attached to process {program.pid}", said)
        return tracer

    def detach(self, tracer):
        if tracer.poll() is None:
            tracer.send_signal(signal.SIGINT)
        with foreground.limit(tracer, LIMIT_SECONDS):
            said = tracer.stderr.read()
        self.assertEqual(tracer.wait(LIMIT_SECONDS), 0, said)
        return said

    def refused(self, why, pid, *options):
        self.assertRegex(refused(RTL, "trace", "--pid", pid, *options, folder=self.folder), why)

    def ask(self, path, sql):
        return ask(self.folder / path, sql)

    def check_sums(self, path):
        tags = {tag: int(value) for tag, value in self.ask(
            path, "SELECT tag, value FROM rocpd_metadata WHERE tag LIKE 'submitted.%' OR tag LIKE 'recorded.%'"
                  " OR tag LIKE 'loss.%'")}
        for kind in ("kernels", "copies", "hip"):
            losses = sum(count for tag, count in tags.items() if tag.startswith("loss.") and tag.endswith("." + kind))
            self.assertEqual(tags.get(f"submitted.{kind}", 0), tags.get(f"recorded.{kind}", 0) + losses, (path, kind, tags))
        return tags

    def end_well(self, program):
        program.stdin.close()
        with foreground.limit(program, LIMIT_SECONDS):
            self.assertEqual(program.stdout.read(), "bye\n")
        self.assertEqual(program.wait(LIMIT_SECONDS), 0)
        self.assertEqual([line for line in program.stderr if line.startswith("rtl")], [])


class Windows(Late):
    def test_they_have_what_happened_within(self):
        program = self.serve()
        self.say(program, "run 10", "ran 10")
        for window, kernels in (("one.db", 20), ("two.db", 30)):
            tracer = self.attach(program, "-o", window)
            self.say(program, f"run {kernels}", f"ran {kernels}")
            self.say(program, "graph 2", "launched 2")
            said = self.detach(tracer)
            self.assertRegex(said, r"kernels: (\d+) submitted, \1 recorded, 0 lost")
            self.say(program, "run 5", "ran 5")
            self.assertEqual(self.ask(window, KERNELS), [(kernels + 20,)])
            self.check_sums(window)
            self.assertEqual(self.ask(window, "SELECT pid FROM rtl_process"), [(program.pid,)])
        self.end_well(program)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["one.db", "two.db"])

    def test_one_without_events_leaves_an_earlier_trace_and_says_so_once(self):
        program = self.serve()
        tracer = self.attach(program, "-o", "one.db")
        self.say(program, "run 10", "ran 10")
        self.detach(tracer)
        tracer = self.attach(program, "-o", "one.db")
        tracer.send_signal(signal.SIGINT)
        with foreground.limit(tracer, LIMIT_SECONDS):
            said = tracer.stderr.read()
        self.assertEqual((tracer.wait(LIMIT_SECONDS), said.count("earlier trace")), (1, 1), said)
        self.assertEqual(self.ask("one.db", KERNELS), [(10,)])
        self.end_well(program)

    def test_they_have_the_calls_of_hip(self):
        program = self.serve()
        self.say(program, "run 10", "ran 10")
        for window in "one.db", "two.db":
            tracer = self.attach(program, "--mode", "hip", "-o", window)
            self.say(program, "run 20", "ran 20")
            said = self.detach(tracer)
            if not HAS_CALLS:
                self.assertIn("gives its calls to no tracer that comes late; start the program with RTL_ATTACH=1", said)
            self.say(program, "run 5", "ran 5")
            launches = self.ask(window, "SELECT count(*) FROM rocpd_api a JOIN rocpd_string s ON s.id = a.apiName_id"
                                        " WHERE s.string = 'hipLaunchKernel'")
            self.assertEqual(launches, [(20 if HAS_CALLS else 0,)])
            self.assertEqual(self.ask(window, KERNELS), [(20,)])
            self.assertEqual(self.ask(window, LINKED)[0][0] >= 20, HAS_CALLS)
            self.check_sums(window)
        self.end_well(program)

    def test_nothing_of_a_trace_of_hsa_calls_stays(self):
        program = self.serve()
        self.say(program, "run 10", "ran 10")
        for events in "hsa", "hsa,memory,kernels", "kernels":
            tracer = self.attach(program, "--events", events, "-o", "calls.db")
            self.say(program, "run 20", "ran 20")
            self.detach(tracer)
            self.check_sums("calls.db")
        self.assertEqual(self.ask("calls.db", KERNELS), [(20,)])
        self.end_well(program)

    def test_under_load_again_and_again(self):
        program = self.serve()
        self.say(program, "storm 4", "storm of 4")
        recorded = 0
        i = -1
        # On a busy machine a window may be over before a kernel is launched.
        while (i := i + 1) < TIMES or (recorded == 0 and i < TIMES + 100):
            tracer = self.attach(program, "--mode", "hip" if i % 2 else "auto", "-o", f"{i}.db", "--no-summary",
                                 "--duration", "20ms")
            self.detach(tracer)
            recorded += self.check_sums(f"{i}.db").get("recorded.kernels", 0)
            if HAS_CALLS and i % 2:
                # Calls are hooked before kernels, so only those have no call that were in one at that moment.
                unlinked = "SELECT count(*) FROM rocpd_op WHERE id NOT IN (SELECT op_id FROM rocpd_api_ops)"
                counting = "SELECT id FROM rocpd_string WHERE string LIKE '%count_up%'"
                ((kernels,),) = self.ask(f"{i}.db", f"{unlinked} AND description_id IN ({counting})")
                self.assertLessEqual(kernels, 8)
        self.say(program, "calm", r"calm after \d+")
        self.say(program, "run 10", "ran 10")
        self.assertGreater(recorded, 0)
        self.end_well(program)

    def test_the_program_may_end_within(self):
        program = self.serve()
        self.say(program, "run 10", "ran 10")
        tracer = self.attach(program, "-o", "last.db")
        self.say(program, "run 20", "ran 20")
        self.end_well(program)
        self.detach(tracer)
        self.assertEqual(self.ask("last.db", KERNELS), [(20,)])

    def test_the_tracer_may_be_killed(self):
        program = self.serve()
        self.say(program, "run 10", "ran 10")
        tracer = self.attach(program, "-o", "left.db")
        self.say(program, "run 20", "ran 20")
        tracer.kill()
        tracer.wait(LIMIT_SECONDS)
        # The process sees that the tracer is gone, and is free again.
        next_one = ["trace", "--pid", program.pid, "--duration", "10ms", "-o", "left.db"]
        for _ in range(200):
            done = rtl(*next_one, code=None, folder=self.folder)
            if done.returncode == 0:
                break
            self.assertRegex(done.stderr, "is attached to it|it is traced already")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.say(program, "run 5", "ran 5")
        # What it had recorded until then is still there, and the next one says so.
        (spool,) = self.folder.glob("left.db.spool-*")
        done = rtl(*next_one, code=None, folder=self.folder)
        self.assertIn(f"rtl collect --spool {spool} ", done.stderr)
        self.end_well(program)
        rtl("collect", "--spool", spool, "--output", self.folder / "found.db")
        self.assertEqual(self.ask("found.db", KERNELS), [(20,)])


class Gone(Late):
    STACK = 128 * 1024  # of the thread that the tracer makes; what it shares with it lies behind

    def memory(self, program):
        """The private memory that can be written: {first address: bytes}."""
        found = {}
        for line in pathlib.Path(f"/proc/{program.pid}/maps").read_text().splitlines():
            begin, end = line.split()[0].split("-")
            if line.split()[1] == "rw-p" and len(line.split()) == 5:
                found[begin] = int(end, 16) - int(begin, 16)
        return found

    def test_memory_of_another_program_at_the_same_address_stays_as_it_is(self):
        for _ in range(5):
            program = self.serve()
            self.say(program, "run 10", "ran 10")
            before = self.memory(program)
            tracer = self.attach(program, "-o", "replaced.db", "--no-summary")
            grown = {begin: size for begin, size in self.memory(program).items()
                     if before.get(begin, 0) != size and size >= self.STACK}
            # The tracer's memory may have been added to memory beside it.
            begin = min(int(at, 16) for at in grown)
            end = max(int(at, 16) + size for at, size in grown.items())
            program.stdin.write(f"become {begin:x} {end - begin}\n")
            program.stdin.flush()
            answer = self.line(program)
            if answer == "became":
                break
            self.assertEqual(answer, "taken")  # by the other program itself
            self.detach(tracer)
        else:
            self.skipTest("the address was never free")
        # It ends by itself: what the other program does is in no trace.
        with foreground.limit(tracer, LIMIT_SECONDS):
            said = tracer.stderr.read()
        self.assertEqual(tracer.wait(LIMIT_SECONDS), 0, said)
        self.assertRegex(said, f"process {program.pid} has executed .*served .*, which is not in the trace")
        self.assertEqual(self.ask("replaced.db", "SELECT count(*) FROM rtl_process"), [(1,)])
        program.stdin.close()
        with foreground.limit(program, LIMIT_SECONDS):
            self.assertEqual(program.stdout.read(), "0 bytes changed\n")


class Threads(Late):
    """A thread that is borrowed goes on as before."""

    def test_a_wait_for_input_goes_on(self):
        program = self.serve()
        self.say(program, "run 10", "ran 10")
        before = self.state(program)
        for _ in range(3):
            self.detach(self.attach(program, "-o", "x.db", "--duration", "10ms", "--no-summary"))
        self.assertEqual(self.state(program), before)
        self.say(program, "run 10", "ran 10")
        self.end_well(program)

    def test_a_call_that_would_end_early_is_not_interrupted(self):
        program = self.serve()
        self.say(program, "run 10", "ran 10")
        self.say(program, "write 3000", "writing")
        tracer = rtl("trace", "--pid", program.pid, "-o", "x.db", "--duration", "10ms", code=None, folder=self.folder)
        self.assertIn(tracer.returncode, (0, 1), tracer.stderr)  # no other thread may be free
        self.assertEqual(self.line(program), "wrote 100000")
        self.say(program, "run 10", "ran 10")
        self.end_well(program)

    def state(self, program):
        status = pathlib.Path(f"/proc/{program.pid}/status").read_text()
        return [line for line in status.splitlines() if re.match("Sig[PBIC]|Shd|TracerPid|Name|Uid|Seccomp", line)]


class Refused(Late):
    def test_one_line_says_why_a_process_cannot_be_attached_to(self):
        self.refused("there is no such process", 2 ** 22 + 1)
        self.refused("no HSA runtime is loaded in it", os.getpid())
        program = self.serve()
        self.refused("cannot be written", program.pid, "-o", "none/x.db")
        stopped = self.sleeper()
        stopped.send_signal(signal.SIGSTOP)
        os.waitpid(stopped.pid, os.WUNTRACED)
        self.refused(f"it is stopped; let it go on first: kill -CONT {stopped.pid}", stopped.pid)
        tracer = self.attach(program, "-o", "first.db")
        self.refused("it is traced already|is attached to it", program.pid, "-o", "second.db")
        self.detach(tracer)
        self.end_well(program)

    def test_a_process_that_cannot_write_the_records_says_so(self):
        program = self.serve()
        resource.prlimit(program.pid, resource.RLIMIT_FSIZE, (65536, 65536))
        self.refused(r"cannot reserve \d+ bytes for .*limit of file sizes", program.pid)
        self.say(program, "run 10", "ran 10")
        self.end_well(program)

    # Sets a filter that returns `action` for one system call and allows the others, and becomes the program.
    FILTERED = """
import ctypes, os, struct, sys
call, action = int(sys.argv[1]), int(sys.argv[2], 16)
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, call), (0x06, 0, 0, action), (0x06, 0, 0, 0x7fff0000)]
code = b"".join(struct.pack("HBBI", *step) for step in steps)
memory = ctypes.create_string_buffer(code)
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(memory)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program):
    sys.exit("no filter")
os.execv(sys.argv[3], sys.argv[3:])
"""

    def filtered(self, call, action):
        program = self.start(PROGRAMS / "served", prefix=(sys.executable, "-c", self.FILTERED, str(call), action))
        self.assertEqual(self.line(program), "ready")
        return program

    @unittest.skipIf(RUNTIME, "the roots of other runtimes have no Python")
    def test_a_filter_that_forbids_a_call_is_not_touched(self):
        membarrier, kill, allow = 324, "80000000", "7fff0000"
        program = self.filtered(membarrier, kill)
        self.refused("seccomp filter does not allow the system call membarrier|only a process with CAP_SYS_ADMIN",
                     program.pid)
        self.say(program, "run 10", "ran 10")
        self.end_well(program)
        if os.geteuid() == 0:
            program = self.filtered(membarrier, allow)
            tracer = self.attach(program, "-o", "allowed.db")
            self.say(program, "run 10", "ran 10")
            self.detach(tracer)
            self.assertEqual(self.ask("allowed.db", KERNELS), [(10,)])
            self.end_well(program)

    @unittest.skipIf(os.geteuid() != 0, "needs processes of two users")
    def test_another_user_is_named(self):
        other = self.sleeper(user=65534)
        self.refused("it runs as the user with number 65534; run rtl as that user", other.pid)

    def test_a_debugger_is_named(self):
        traced = self.sleeper()
        libc = ctypes.CDLL(None, use_errno=True)
        seize = 0x4206
        if libc.ptrace(seize, traced.pid, None, None) != 0:
            self.skipTest("ptrace is not allowed here")
        self.refused(rf"process {os.getpid()} \(.*\) traces it already", traced.pid)

    def sleeper(self, **how):
        process = subprocess.Popen(["sleep", "1000"], **how)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process


if __name__ == "__main__":
    main(PROGRAMS / "served")
