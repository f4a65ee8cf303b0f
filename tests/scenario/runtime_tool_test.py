#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/runtime with an mmdebstrap of the test's own, and no network: one line for each failure, and nothing left
behind."""

import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "runtime"
UNAVAILABLE = 77
# Writes an archive of the one folder that must be there.
WORKS = """root=$(mktemp -d)
mkdir -p "$root/usr/lib/x86_64-linux-gnu"
tar -c -f - -C "$root" .
rm -r $root"""
FAILS = """echo "Err:1 http://mirror trixie InRelease
  Could not resolve 'mirror'
E: Failed to fetch" >&2
exit 25"""
# Writes a wheel as pip does, with libraries that have a hash in their names.
WHEEL = """while [ "$1" != -d ]; do shift; done
exec python3 - "$2" <<'END'
import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
folder.mkdir()
with zipfile.ZipFile(folder / "amd.whl", "w") as wheel:
    for name in ("libamdhip64-01234567.so.7.14.1", "libhiprtc-01234567.so.7.14.1",
                 "libhsa-runtime64-01234567.so.1.21.0", "libamd_comgr-01234567.so.3.3.0",
                 "librocprofiler-register-01234567.so.0.6.0", "libother-01234567.so.1"):
        wheel.writestr("amd.libs/" + name, "AMD's")
END"""
STANDS_STILL = """exec python3 -c 'import os, pathlib, time
pathlib.Path(os.environ["RTL_RUNTIME_CACHE"], "begun").touch()
time.sleep(60)'
"""


class RuntimeTool(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.cache = self.folder / "cache"
        # More than a pipe holds: a reader that takes only the first line must not block the rest.
        self.fake("apt-get", """. /etc/os-release
for i in {1..4000}; do echo "http://mirror $VERSION_CODENAME main"; done""")

    def fake(self, name, script):
        path = self.folder / name
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)

    def start(self, *arguments):
        environment = dict(os.environ, RTL_RUNTIME_CACHE=str(self.cache),
                           PATH=f"{self.folder}:{os.environ['PATH']}")
        return subprocess.Popen([TOOL, *arguments], env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                                start_new_session=True)

    def answer(self, *arguments):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def left_behind(self):
        return sorted(path.name for path in self.cache.glob(".get-*"))

    def test_wrong_arguments_are_one_line_each(self):
        for arguments, line in (
                (["nonsense"], "there is no command nonsense"),
                (["get"], "get needs a name (6.1 6.4 7.2 7.14 6.4-libraries 6.4-frameworks 7.2-libraries 7.2-suites "
                          "7.2-amd-tests 7.2-frameworks libc)"),
                (["get", "9.9"],
                 "there is no runtime 9.9 (there are: 6.1 6.4 7.2 7.14 6.4-libraries 6.4-frameworks 7.2-libraries "
                 "7.2-suites 7.2-amd-tests 7.2-frameworks libc)"),
                (["get", "6.1", "9.9"], "there is no runtime 9.9"),
                (["root"], "root needs a name"), (["exec"], "exec needs a name"),
                (["list", "6.1"], "list takes no arguments")):
            code, out, err = self.answer(*arguments)
            self.assertEqual(code, 2, arguments)
            self.assertEqual(out, "", arguments)
            self.assertTrue(err.startswith(f"runtime: {line}"), err)
            self.assertEqual(err.count("\n"), 1, err)

    def test_a_missing_runtime_is_named(self):
        code, out, err = self.answer("exec", "7.2", "true")
        self.assertEqual((code, out), (UNAVAILABLE, ""))
        self.assertEqual(err, "runtime: 7.2 is not here; scripts/runtime get 7.2 fetches it\n")

    def test_get_fetches_once(self):
        self.fake("mmdebstrap", WORKS)
        code, out, err = self.answer("get", "6.1")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("runtime: 6.1 is in", out)
        self.fake("mmdebstrap", FAILS)
        self.assertEqual(self.answer("get", "6.1"), (0, "", ""))
        self.assertEqual(self.answer("root", "6.1"), (0, f"{self.cache}/6.1\n", ""))
        self.assertEqual(self.left_behind(), [])

    def test_get_does_not_wait_for_others_when_all_is_here(self):
        self.fake("mmdebstrap", WORKS)
        self.assertEqual(self.answer("get", "6.1")[0], 0)
        with (self.cache / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertEqual(self.answer("get", "6.1"), (0, "", ""))

    def test_a_root_without_a_mount_namespace_is_refused(self):
        self.fake("mmdebstrap", WORKS)
        self.assertEqual(self.answer("get", "6.1")[0], 0)
        self.fake("unshare", "exit 1")
        for arguments in (["root", "6.1"], ["exec", "6.1", "true"]):
            code, out, err = self.answer(*arguments)
            self.assertEqual((code, out), (UNAVAILABLE, ""))
            self.assertTrue(err.startswith("runtime: no mount namespace can be made here"), err)

    def test_without_a_network_the_reason_is_one_line(self):
        self.fake("mmdebstrap", FAILS)
        code, _, err = self.answer("get", "6.1")
        self.assertEqual(code, UNAVAILABLE)
        self.assertEqual(err, "runtime: 6.1 cannot be fetched: Could not resolve 'mirror' "
                              f"(the log is {self.cache}/6.1.log)\n")
        self.assertEqual(self.left_behind(), [])

    def test_a_failed_get_keeps_what_is_here(self):
        self.fake("mmdebstrap", WORKS)
        self.assertEqual(self.answer("get", "6.1")[0], 0)
        self.fake("mmdebstrap", FAILS)
        self.assertEqual(self.answer("get", "--fresh", "6.1")[0], UNAVAILABLE)
        self.assertEqual(self.answer("root", "6.1")[0], 0)

    def test_amds_libraries_take_the_place_of_debians_in_a_copy(self):
        self.fake("mmdebstrap", WORKS.replace(
            "tar -c", "echo Debian >$root/usr/lib/x86_64-linux-gnu/libamdhip64.so.7\ntar -c"))
        self.fake("pip3", WHEEL)
        code, _, err = self.answer("get", "7.14")
        self.assertEqual((code, err), (0, ""))
        folder = self.cache / "7.14/usr/lib/x86_64-linux-gnu"
        for name in ("libamdhip64.so", "libamdhip64.so.7", "libamdhip64-01234567.so.7.14.1", "libother-01234567.so.1"):
            self.assertEqual((folder / name).read_text(), "AMD's", name)
        self.assertEqual((folder / "libamdhip64.so.7").resolve().name, "libamdhip64.so.7.14.1")
        self.assertEqual((self.cache / "7.2/usr/lib/x86_64-linux-gnu/libamdhip64.so.7").read_text(), "Debian\n")
        for name in ("7.2", "7.14"):
            self.assertEqual(self.answer("root", name)[0], 0)
        self.fake("pip3", "exit 1")
        self.assertEqual(self.answer("get", "7.14"), (0, "", ""))
        self.assertEqual(self.left_behind(), [])

    def test_amds_libraries_without_pip_or_a_network_are_one_line(self):
        self.fake("mmdebstrap", WORKS)
        self.fake("pip3", "echo 'ERROR: No matching distribution' >&2; exit 1")
        code, _, err = self.answer("get", "7.14")
        self.assertEqual((code, err), (UNAVAILABLE, "runtime: 7.14 cannot be fetched: No matching distribution "
                                                    f"(the log is {self.cache}/7.14.log)\n"))
        self.assertEqual(self.left_behind(), [])
        (self.folder / "pip3").unlink()
        for name in ("bash", "cat", "cksum", "tr", "mkdir", "flock", "dirname", "id"):
            (self.folder / name).symlink_to(shutil.which(name))
        environment = dict(os.environ, RTL_RUNTIME_CACHE=str(self.cache), PATH=str(self.folder))
        done = subprocess.run([TOOL, "get", "7.14"], env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (UNAVAILABLE, "runtime: 7.14: pip3 is not installed (package python3-pip)\n"))

    def begin(self):
        self.fake("mmdebstrap", STANDS_STILL)
        process = self.start("get", "6.1")
        limit = time.monotonic() + 30
        while not (self.cache / "begun").exists():
            self.assertLess(time.monotonic(), limit, "it does not begin")
            time.sleep(0.01)
        return process

    def test_an_interrupted_get_leaves_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.begin()
            os.killpg(process.pid, number)
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130)
            # Before that the shell may print that its child was terminated.
            self.assertEqual(err.splitlines()[-1], "runtime: interrupted; 6.1 was removed, and "
                                                   "scripts/runtime get 6.1 starts again")
            self.assertEqual(self.left_behind(), [])
            self.assertEqual(self.answer("root", "6.1")[0], UNAVAILABLE)
            (self.cache / "begun").unlink()

    def test_the_next_get_removes_what_a_killed_one_left(self):
        process = self.begin()
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
        self.assertEqual(len(self.left_behind()), 1)
        self.fake("mmdebstrap", WORKS)
        self.assertEqual(self.answer("get", "6.1")[0], 0)
        self.assertEqual(self.left_behind(), [])


if __name__ == "__main__":
    unittest.main()
