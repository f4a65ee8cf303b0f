# SPDX-License-Identifier: MIT
"""JAX: operations and training steps of a small network, against NumPy. With JAX_PROFILE, the name of a folder, JAX's
profiler records them as well."""

import collections
import glob
import gzip
import json
import os

import check
import jax
import jax.numpy as jnp
import numpy

random = numpy.random.default_rng(1)
a = random.standard_normal((64, 48)).astype(numpy.float32)
b = random.standard_normal((48, 32)).astype(numpy.float32)
results = check.Results()
assert jax.devices()[0].platform in ("gpu", "rocm"), jax.devices()
profile = os.environ.get("JAX_PROFILE")
if profile:
    jax.profiler.start_trace(profile)


def on_gpu(function, *arrays):
    return numpy.asarray(jax.jit(function)(*arrays))


results.near("elementwise", on_gpu(lambda x: jnp.tanh(x) * 2, a), numpy.tanh(a) * 2)
results.near("sum", on_gpu(lambda x: x.sum(axis=0), a), a.sum(axis=0))
results.near("matmul", on_gpu(jnp.matmul, a, b), a @ b, 5e-3)  # gfx942 rounds to 10 bits
results.near("sort", on_gpu(lambda x: jnp.sort(x, axis=1), a), numpy.sort(a, axis=1), 0)
results.near("scan", on_gpu(lambda x: jnp.cumsum(x, axis=1), a), numpy.cumsum(a, axis=1))
results.near("fft", on_gpu(lambda x: jnp.abs(jnp.fft.fft(x)), a), numpy.abs(numpy.fft.fft(a)).astype(numpy.float32))

wanted = random.standard_normal((64, 32)).astype(numpy.float32)


@jax.jit
def step(weights, inputs, targets):
    def loss(w):
        return ((jnp.tanh(inputs @ w) - targets) ** 2).mean()
    return weights - 0.1 * jax.grad(loss)(weights)


def reference(weights):
    hidden = numpy.tanh(a @ weights)
    return weights - 0.1 * a.T @ (2 * (hidden - wanted) * (1 - hidden ** 2) / wanted.size)


weights, right = jnp.asarray(b), b
for _ in range(5):
    weights, right = step(weights, a, wanted), reference(right)
results.near("training", numpy.asarray(weights), right, 1e-3)
if profile:
    jax.profiler.stop_trace()
    name = glob.glob(f"{profile}/**/*.trace.json.gz", recursive=True)[0]
    with gzip.open(name) as file:
        events = json.load(file)["traceEvents"]
    gpus = {event["pid"] for event in events if event.get("name") == "process_name" and "GPU" in event["args"]["name"]}
    kernels = collections.Counter(event["name"].removesuffix(".kd") for event in events if event.get("ph") == "X" and
                                  event["pid"] in gpus and "kernel_details" in event.get("args", {}))
    print("own profiler:", json.dumps(kernels), flush=True)
results.close()
