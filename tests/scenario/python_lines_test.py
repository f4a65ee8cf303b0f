#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rtl trace --python names the line of Python during which the GPU waited, in programs whose cause is built in.

    RTL_BUILD=build/release python_lines_test.py
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from frame import BUILD, Case, main, rtl, run, skip, trace  # noqa: E402

PROGRAM = """
import ctypes, json, multiprocessing, sys, threading, time

hip = ctypes.CDLL("libamdhip64.so.5")
memory = ctypes.c_void_p()
assert hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(4096)) == 0
TEXT = json.dumps([{"a": i, "b": [1, 2, 3]} for i in range(2000)])
ROUNDS = 6
spent = 0

def gpu():
    assert hip.hipMemset(memory, 0, ctypes.c_size_t(4096)) == 0
    assert hip.hipDeviceSynchronize() == 0

def parse():
    until = time.monotonic() + 0.4
    while time.monotonic() < until:
        json.loads(TEXT)  # json

lock = threading.Lock()

def hold(held):
    with lock:
        held.set()
        time.sleep(0.5)

def wait_for_lock():
    held = threading.Event()
    other = threading.Thread(target=hold, args=(held,))
    other.start()
    held.wait()
    lock.acquire()  # lock
    lock.release()
    other.join()

def load_item(n):
    time.sleep(0.5)  # load
    return n

def loader(queue, asked):
    for n in range(ROUNDS):
        asked.acquire()
        queue.put(load_item(n))

def take(queue, asked):
    asked.release()
    return queue.get()  # loader

def sleep():
    time.sleep(0.5)  # sleep

def other():
    until = time.monotonic() + 0.15
    while time.monotonic() < until:
        pass

def main(what):
    steps = {"sleep": sleep, "json": parse, "lock": wait_for_lock}
    if what == "loader":
        queue, asked = multiprocessing.Queue(), multiprocessing.Semaphore(0)
        process = multiprocessing.Process(target=loader, args=(queue, asked))
        process.start()
        steps["loader"] = lambda: take(queue, asked)
    gpu()
    cause = total = 0
    for _ in range(ROUNDS):
        begin = time.monotonic()
        steps[what]()
        done = time.monotonic()
        other()
        total += time.monotonic() - begin
        cause += done - begin
        gpu()
    print(cause / total)

if __name__ == "__main__":
    if sys.argv[2:] == ["thread"]:  # another one than the main thread launches
        launching = threading.Thread(target=main, args=sys.argv[1:2], name="launching")
        launching.start()
        launching.join()
    else:
        main(sys.argv[1])
"""

EMBEDDING = """
#include <dlfcn.h>
int main(int argc, char** argv) {
  void* const python = dlopen(LIBRARY, RTLD_NOW | RTLD_GLOBAL);
  return python == 0 ? 99 : ((int (*)(int, char**))dlsym(python, "Py_BytesMain"))(argc, argv);
}
"""

# Before 3.11 Python does not know the kernel's ids of its threads.
EARLIER = [python for name in ("python3.9", "python3.10") for python in
           [shutil.which(name), *map(str, pathlib.Path.home().glob(f".pyenv/versions/{name[6:]}.*/bin/{name}"))]
           if python is not None]


def can_load_hip(python):
    return subprocess.run([python, "-c", "import ctypes; ctypes.CDLL('libamdhip64.so.5')"],
                          stderr=subprocess.DEVNULL).returncode == 0


def line_of(mark):
    return next(i for i, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("  # " + mark))


class PythonLines(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "program.py").write_text(PROGRAM)

    def trace(self, what, *options, python=sys.executable, **more):
        return trace("t.db", python, "program.py", *what.split(), options=("--mode", "hip", "--force", *options),
                     folder=self.folder, **more)

    def check(self, what, python=sys.executable):
        done = self.trace(what, "--python", python=python)
        self.assertNotIn("Python stacks", done.stderr)
        share = float(done.stdout)
        found = json.loads(rtl("analyze", "--json", self.database).stdout)["gpus"][0]
        first = found["host_lines"][0]
        line = line_of(what.split()[0])
        self.assertEqual((pathlib.Path(first["file"]).name, first["line"]), ("program.py", line), found)
        self.assertLess(abs(first["idle_ns"] / found["host_code_ns"] - share), 0.05, (share, found))
        self.assertIn(f"host code: {first['function']}, program.py:{first['line']}, ",
                      rtl("analyze", self.database).stdout)
        return first

    def test_a_sleep(self):
        self.check("sleep")

    def test_parsing_of_json(self):
        self.assertIn("decoder.py", self.check("json")["inside"])

    def test_a_lock(self):
        self.check("lock")

    def test_a_thread_that_launches(self):
        self.check("sleep thread")

    def test_a_thread_of_an_earlier_python(self):
        earlier = [python for python in EARLIER if can_load_hip(python)]
        if not earlier:
            self.skipTest("no Python 3.9 or 3.10 is installed")
        for python in earlier:
            with self.subTest(python=python):
                self.check("sleep thread", python)
                self.assertEqual(self.check("loader thread", python)["other"],
                                 f"load_item, program.py:{line_of('load')}")

    def test_a_program_that_embeds_python(self):
        """Its name does not say that it is Python."""
        library = pathlib.Path(sysconfig.get_config_var("LIBDIR"), sysconfig.get_config_var("LDLIBRARY"))
        if library.suffix != ".so" or not library.exists() or shutil.which("cc") is None:
            self.skipTest("no shared library of Python or no compiler is installed")
        (self.folder / "server.c").write_text(EMBEDDING)
        run("cc", f'-DLIBRARY="{library}"', "-o", "server", "server.c", "-ldl", folder=self.folder)
        self.check("sleep", self.folder / "server")

    def test_a_loader_in_another_process(self):
        self.assertEqual(self.check("loader")["other"], f"load_item, program.py:{line_of('load')}")


class WithoutSamples(PythonLines):
    """One line says which permission or package is missing; without permission the program is traced."""

    def environment(self, script):
        """The variables with which py-spy is this script, or is not there."""
        tools = self.folder / "tools"
        tools.mkdir()
        if script is not None:
            (tools / "py-spy").write_text(script)
            (tools / "py-spy").chmod(0o755)
        return {"PATH": f"{tools}:/usr/bin:/bin"}

    def test_py_spy_is_missing(self):
        if shutil.which("py-spy", path=f"/usr/bin:/bin:{pathlib.Path(sys.executable).parent}"):
            self.skipTest("py-spy is installed for all")
        done = self.trace("sleep", "--python", code=1, **self.environment(None))
        self.assertIn("rtl: --python needs py-spy: pip install py-spy\n", done.stderr)

    def test_reading_is_not_allowed(self):
        if shutil.which("py-spy", path=str(pathlib.Path(sys.executable).parent)):
            self.skipTest("py-spy is beside this interpreter")
        script = "#!/bin/sh\n[ \"$1\" = --version ] && exec echo py-spy 0\n" \
                 "echo 'Error: Permission Denied: Try running again with elevated permissions'\nexit 1\n"
        done = self.trace("sleep", "--python", **self.environment(script))
        self.assertIn("ptrace_scope", done.stderr)
        self.assertEqual(done.stderr.count("Python stacks are not sampled"), 1)

    for name in [name for name in vars(PythonLines) if name.startswith("test_")]:
        locals()[name] = None


if __name__ == "__main__":
    venv = BUILD.parent / "venv" / "bin"
    if (venv / "py-spy").exists():
        os.environ["PATH"] = f"{os.environ['PATH']}:{venv}"
    if shutil.which("py-spy") is None:
        skip("py-spy is not installed (pip install py-spy)")
    main(verbosity=2)
