# SPDX-License-Identifier: MIT
"""Triton without PyTorch: add, softmax and products. Memory comes from HIP by ctypes. With PROTON, the name of a file,
Triton's profiler records them as well."""

import collections
import ctypes
import json
import os

import check
import numpy
import triton
import triton.language as tl
from triton.backends.amd.driver import HIPDriver, HIPLauncher, HIPUtils

hip = ctypes.CDLL("libamdhip64.so.7")


class Driver(HIPDriver):
    """Triton's own asks PyTorch for the device and the stream."""

    def __init__(self):  # pylint: disable=super-init-not-called
        self.utils = HIPUtils()
        self.launcher_cls = HIPLauncher

    def get_current_device(self):
        return 0

    def get_current_stream(self, device=None):
        return 0

    def set_current_device(self, device):
        pass


class Array:
    """An array of the GPU, as Triton wants it: a type and an address."""

    def __init__(self, values):
        self.shape, self.kind = values.shape, values.dtype
        self.dtype = {"float32": tl.float32, "float16": tl.float16}[values.dtype.name]
        self.bytes = values.nbytes
        self.address = ctypes.c_void_p()
        assert hip.hipMalloc(ctypes.byref(self.address), ctypes.c_size_t(self.bytes)) == 0
        assert hip.hipMemcpy(self.address, values.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(self.bytes), 1) == 0

    def data_ptr(self):
        return self.address.value

    def get(self):
        values = numpy.empty(self.shape, self.kind)
        assert hip.hipMemcpy(values.ctypes.data_as(ctypes.c_void_p), self.address, ctypes.c_size_t(self.bytes), 2) == 0
        return values


@triton.jit
def add(x, y, out, n, block: tl.constexpr):
    at = tl.program_id(0) * block + tl.arange(0, block)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, columns: tl.constexpr):
    at = tl.program_id(0) * columns + tl.arange(0, columns)
    row = tl.load(x + at)
    powers = tl.exp(row - tl.max(row, axis=0))
    tl.store(out + at, powers / tl.sum(powers, axis=0))


@triton.jit
def product(a, b, out, n: tl.constexpr):
    i = tl.arange(0, n)
    whole = i[:, None] * n + i[None, :]
    tl.store(out + whole, tl.dot(tl.load(a + whole), tl.load(b + whole)))


triton.runtime.driver.set_active(Driver())
profile = os.environ.get("PROTON")
if profile:
    import triton.profiler as proton
    proton.start(profile, hook=None)

random = numpy.random.default_rng(1)
a = random.standard_normal((64, 64)).astype(numpy.float32)
b = random.standard_normal((64, 64)).astype(numpy.float32)
x, y = Array(a), Array(b)
results = check.Results()
out = Array(numpy.zeros_like(a))
add[(a.size // 256,)](x, y, out, a.size, 256)
results.near("add", out.get(), a + b)
out = Array(numpy.zeros_like(a))
softmax[(64,)](x, out, 64)
e = numpy.exp(a - a.max(axis=1, keepdims=True))
results.near("softmax", out.get(), e / e.sum(axis=1, keepdims=True))
out = Array(numpy.zeros_like(a))
product[(1,)](x, y, out, 64)
results.near("product", out.get(), a @ b, 5e-3)  # gfx942 rounds to 10 bits
halves = a.astype(numpy.float16), b.astype(numpy.float16)
out = Array(numpy.zeros_like(a))
product[(1,)](Array(halves[0]), Array(halves[1]), out, 64)
results.near("product f16", out.get(), halves[0].astype("f4") @ halves[1].astype("f4"), 2e-3)

if profile:
    hip.hipDeviceSynchronize()
    proton.finalize()


def launches(node):
    """Kernels in Proton's tree, by name."""
    count = node.get("metrics", {}).get("count", 0)
    found = collections.Counter({node["frame"]["name"]: int(count)} if count else {})
    return sum((launches(child) for child in node.get("children", [])), found)


if profile:
    with open(profile + ".hatchet", encoding="utf-8") as file:
        found = sum((launches(node) for node in json.load(file) if "children" in node), collections.Counter())
    print("own profiler:", json.dumps(found), flush=True)
results.close()
