#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program that hangs: rtl lists the kernels in flight while it runs, on request, when it is interrupted, when
--hang-timeout passes, and after its end. The program continues all the time."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

BUILD = pathlib.Path(os.environ["RTL_BUILD"]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
import foreground  # noqa: E402

RTL = BUILD / "bin" / "rtl"
LIMIT = 60


def expect(holds, text):
    if not holds:
        raise SystemExit(f"FAILED: {text}")


class Hung:
    """A traced program that never ends by itself, and has printed that it hangs."""

    def __init__(self, runtime, folder, *options):
        suffix = f"-{runtime}" if runtime else ""
        self.database = folder / "t.db"
        self.program = BUILD / "bin" / f"programs{suffix}" / "hsa_endings"
        command = [RTL, "trace", "--vgpu", "--no-summary", "-o", self.database, *options, "--", self.program, "hang"]
        if runtime:
            command = [ROOT / "scripts" / "runtime", "exec", runtime, "--", *command]
        self.errors = open(folder / "errors", "w+", encoding="utf-8")
        # In a group of its own: an interrupt of the program does not reach the test.
        self.process = foreground.start(command, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        with foreground.limit(self.process, LIMIT):
            said = self.process.stdout.readline()
        expect(said == "ten kernels ran and ten never will\n", "the program does not run")

    def pid(self):
        """The program's process: the one that has a control page."""
        spool = next(self.database.parent.glob("t.db.spool-*"))
        return int(next(spool.glob("*.ctl")).name.split("-")[0])

    def said(self):
        self.errors.flush()
        return pathlib.Path(self.errors.name).read_text(encoding="utf-8")

    def await_said(self, pattern):
        with foreground.limit(self.process, LIMIT):
            while not re.search(pattern, self.said()):
                expect(self.process.poll() is None, f"it ended before it said {pattern}: {self.said()}")

    def end(self):
        os.kill(self.pid(), signal.SIGKILL)
        code = self.process.wait(LIMIT)
        self.errors.close()
        self.process.stdout.close()
        return code


def info(*arguments):
    done = subprocess.run([RTL, "info", "--in-flight", *arguments], capture_output=True, text=True, timeout=LIMIT)
    return done.returncode, done.stdout, done.stderr


def check_kernels(text, alive):
    rows = json.loads(text)["in_flight"]
    expect(len(rows) == 10, f"{len(rows)} kernels: {text}")
    # They have no barrier bit. A barrier packet holds them, and its signal has a value while the process lives.
    expect(all(row["state"] == ("waits" if alive else "unknown") for row in rows), text)
    why = r"barrier packet 10 waits for signal 0x[0-9a-f]+ \(value 1\)"
    if not alive:
        why = r"barrier packet 10 may wait for signal 0x[0-9a-f]+ \(the process has ended: no value\)"
    expect(all(re.fullmatch(why, row.get("behind", "")) for row in rows), text)
    expect([row["packet"] for row in rows] == list(range(11, 21)), text)
    expect(all(row["grid"] == [64, 1, 1] and row["queue"] == 1 for row in rows), text)
    expect(all(row["for_ns"] > 0 for row in rows), text)
    expect(all(row["alive"] == alive for row in rows), text)


def test_ask(runtime, folder):
    hung = Hung(runtime, folder)
    for name in (str(hung.pid()), next(folder.glob("t.db.spool-*"))):
        code, out, said = info("--json", name)
        expect(code == 0, said)
        check_kernels(out, True)
    code, out, said = info(str(hung.pid()))
    expect(code == 0 and "10 kernels are in flight\n" in out, out + said)
    expect(not list(folder.glob("t.db.spool-*/a*")), "requests or answers are left")
    expect(hung.end() == 128 + signal.SIGKILL, "the exit code")
    code, out, said = info("--json", hung.database)
    expect(code == 0, said)
    check_kernels(out, False)


def test_timeout(runtime, folder):
    hung = Hung(runtime, folder, "--hang-timeout", "200ms")
    hung.await_said("a kernel has not ended for 200")
    hung.await_said(r"process \d+: 10 kernels are in flight\n")
    hung.await_said(r"  queue 1: barrier packet 10 waits for signal 0x[0-9a-f]+ \(value 1\)\n")
    expect(hung.process.poll() is None, "the program must go on")
    expect(hung.end() == 128 + signal.SIGKILL, "the exit code")


def test_interrupt(runtime, folder):
    """The program ignores the interrupt; rtl passes it on and lists the kernels in flight."""
    hung = Hung(runtime, folder)
    os.kill(hung.pid(), signal.SIGSTOP)  # the interrupt cannot end it
    while state_of(hung.pid()) != "T":
        pass
    os.kill(hung.process.pid, signal.SIGINT)
    hung.await_said(r"interrupted, and the program goes on\nprocess \d+: 10 kernels are in flight\n")
    expect(hung.end() == 128 + signal.SIGKILL, "the exit code")


def test_collector_killed(runtime, folder):
    """No collector responds; after the program's end rtl collect finishes the trace."""
    hung = Hung(runtime, folder)
    spool = next(folder.glob("t.db.spool-*"))
    program = hung.pid()
    hung.process.kill()
    hung.process.wait(LIMIT)
    code, out, said = info(spool)
    expect(code == 1 and not out and "no collector reads this spool any more" in said, out + said)
    hung.end()
    while pathlib.Path(f"/proc/{program}").exists() and state_of(program) not in "ZX":
        pass
    done = subprocess.run([RTL, "collect", "--spool", spool, "--output", hung.database], capture_output=True,
                          text=True, timeout=LIMIT)
    expect(done.returncode == 0, done.stderr)
    code, out, said = info("--json", hung.database)
    expect(code == 0, said)
    check_kernels(out, False)


def test_suspended(runtime, folder):
    """A process that is stopped is neither hung nor ended; its trace is whole."""
    hung = Hung(runtime, folder)
    os.kill(hung.pid(), signal.SIGSTOP)
    while state_of(hung.pid()) != "T":
        pass
    code, out, said = info("--json", str(hung.pid()))
    expect(code == 0, said)
    check_kernels(out, True)
    os.kill(hung.pid(), signal.SIGCONT)
    expect(hung.end() == 128 + signal.SIGKILL, "the exit code")
    code, out, said = info("--json", hung.database)
    expect(code == 0, said)
    check_kernels(out, False)


def state_of(pid):
    """The letter behind the name in its stat file."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def test_errors():
    code, out, said = info("4194999")
    expect(code == 1 and not out and said == "rtl: process 4194999 is not traced, has ended, or belongs to another "
           "user\n", said)
    done = subprocess.run([RTL, "trace", "--hang-timeout", "soon", "true"], capture_output=True, text=True,
                          timeout=LIMIT)
    expect(done.returncode == 2 and "--hang-timeout takes a time" in done.stderr, done.stderr)


def main():
    runtime = sys.argv[1] if len(sys.argv) > 1 else ""
    test_errors()
    for test in (test_ask, test_timeout, test_interrupt, test_suspended, test_collector_killed):
        with tempfile.TemporaryDirectory(prefix="in-flight-") as folder:
            test(runtime, pathlib.Path(folder))
            print(f"{test.__name__}: passed")


if __name__ == "__main__":
    main()
