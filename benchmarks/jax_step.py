#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a trace and JAX's own profiler cost a training step of JAX, of three kernels. One process for each way:
"untraced" (RTL_DISABLE=1: the profiling library that JAX is linked with does nothing), "again" (the same, the noise),
"profiler" (JAX's plugin has configured its services; in turn its profiler is "closed" and "open"), "trace" (`rtl
trace`) and "hip" (`rtl trace --mode hip`). They take turns, one at a time; medians and ranges of the ratios to untraced
of the same round; no threshold. Kernels are submitted and not executed. Exit code 77: no root or no wheels
(tests/real/frameworks.py fetches them).

    benchmarks/jax_step.py [--rounds 15] [--steps 200] [--build build/release]

wall  time of the steps
host  processor time of the process in that part, without the threads that stand for the GPU
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT / "tests" / "real"))
import forwarders  # noqa: E402
import frameworks  # noqa: E402

# Runs the steps for each line of its input, with JAX's profiler for a line that names a folder.
PROGRAM = """
import glob, sys, time
import jax, jax.numpy as jnp, numpy

random = numpy.random.default_rng(1)
a, w, wanted = (random.standard_normal(shape).astype("f4") for shape in ((64, 48), (48, 32), (64, 32)))

@jax.jit
def step(weights, inputs, targets):
    return weights - 0.1 * jax.grad(lambda w: ((jnp.tanh(inputs @ w) - targets) ** 2).mean())(weights)

def times():
    device = 0
    for task in glob.glob("/proc/self/task/*"):
        with open(task + "/comm") as name, open(task + "/schedstat") as ran:
            device += int(ran.read().split()[0]) if name.read().startswith("vgpu-") else 0
    return time.perf_counter_ns(), time.process_time_ns() - device

def run(steps):
    result = weights
    for _ in range(steps):
        result = step(result, inputs, targets)
    result.block_until_ready()

weights, inputs, targets = (jax.device_put(each) for each in (w, a, wanted))
run(20)
print("ready", flush=True)
for line in sys.stdin:
    if line.strip():
        jax.profiler.start_trace(line.strip())
    before = times()
    run(int(sys.argv[1]))
    after = times()
    if line.strip():
        jax.profiler.stop_trace()
    print(after[0] - before[0], after[1] - before[1], flush=True)
"""
WAYS = ("untraced", "again", "closed", "open", "trace", "hip")


class Way:
    """A process that waits for its turns."""

    def __init__(self, machine, tool, steps, **variables):
        inside = machine.inside | variables
        self.process = subprocess.Popen(
            [frameworks.RUNTIME_TOOL, "exec", machine.framework.runtime, "--", "env",
             *(f"{name}={value}" for name, value in inside.items()), *tool, "--", "python3", "-c", PROGRAM, str(steps)],
            env=dict(machine.env, VGPU_EXECUTE="0"), cwd=machine.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)

    def wait(self):
        if "ready" not in self.process.stdout.readline():
            sys.exit(f"jax_step: {self.process.args[-5:]} did not start")

    def turn(self, profile=""):
        self.process.stdin.write(f"{profile}\n")
        self.process.stdin.flush()
        return [int(word) for word in self.process.stdout.readline().split()]

    def end(self):
        self.process.stdin.close()
        return self.process.wait()


def show(values):
    return f"{statistics.median(values):.2f} [{min(values):.2f} .. {max(values):.2f}]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--build", type=pathlib.Path, default=PROJECT / "build" / "release")
    options = parser.parse_args()
    jax = next(each for each in frameworks.FRAMEWORKS if each.name == "JAX")
    root = frameworks.root(jax.runtime)
    wheels = frameworks.install(jax, root, frameworks.python_of(root)) if root else None
    if wheels is None:
        return frameworks.UNAVAILABLE
    with tempfile.TemporaryDirectory(prefix="jax-step-") as name:
        folder, build = pathlib.Path(name), options.build.resolve()
        forwarders.make(folder / "forwarders", wheels)
        machine = frameworks.Machine(build, jax, "90a", wheels, folder, 0)
        vgpu, rtl = [build / "bin" / "vgpu", "run"], [build / "bin" / "rtl", "trace", "--vgpu", "--no-summary", "-o"]
        untraced, again = (Way(machine, vgpu, options.steps, RTL_DISABLE="1") for _ in range(2))
        profiler = Way(machine, vgpu, options.steps)
        trace = Way(machine, [*rtl, folder / "trace.db"], options.steps)
        hip = Way(machine, [*rtl, folder / "hip.db", "--mode", "hip"], options.steps)
        processes = (untraced, again, profiler, trace, hip)
        for each in processes:
            each.wait()
        turns = (untraced.turn, again.turn, profiler.turn, lambda: profiler.turn(folder / "profile"), trace.turn,
                 hip.turn)
        rounds = [[turn() for turn in turns] for _ in range(options.rounds)]
        codes = [each.end() for each in processes]
    print(f"{options.rounds} rounds of {options.steps} steps, to untraced: median [range]\n{'':10}{'wall':24}host")
    for way, name in enumerate(WAYS):
        columns = [show([each[way][column] / each[0][column] for each in rounds]) for column in (0, 1)]
        print(f"{name:10}{columns[0]:24}{columns[1]}")
    each = [[times[0][column] / options.steps / 1000 for times in rounds] for column in (0, 1)]
    print(f"untraced, us a step: wall {show(each[0])}, host {show(each[1])}")
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
