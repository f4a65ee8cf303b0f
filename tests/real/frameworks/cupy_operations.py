# SPDX-License-Identifier: MIT
"""CuPy: elementwise, reductions, sort, random numbers, rocBLAS, hipFFT, rocSOLVER, hipSPARSE, a raw kernel, a graph."""

import check
import cupy
import cupyx.scipy.sparse
import numpy

random = numpy.random.default_rng(1)
a = random.standard_normal((64, 64)).astype(numpy.float32)
b = random.standard_normal((64, 64)).astype(numpy.float32)
x, y = cupy.asarray(a), cupy.asarray(b)

results = check.Results()
results.near("add", (x + y).get(), a + b)
results.near("exp", cupy.exp(x).get(), numpy.exp(a))
results.near("sum", x.sum(axis=0).get(), a.sum(axis=0))
results.near("argmax", x.argmax(axis=1).get(), a.argmax(axis=1), 0)
results.near("cumsum", cupy.cumsum(x.ravel()).get(), numpy.cumsum(a.ravel(), dtype=numpy.float64).astype(numpy.float32), 1e-3)
results.near("sort", cupy.sort(x, axis=1).get(), numpy.sort(a, axis=1), 0)
results.near("where", cupy.where(x > 0, x, -x).get(), numpy.abs(a), 0)
results.near("matmul", (x @ y).get(), a @ b)
results.near("matmul f64", (x.astype("f8") @ y.astype("f8")).get(), a.astype("f8") @ b.astype("f8"), 1e-12)
results.near("fft", cupy.fft.fft(x).get(), numpy.fft.fft(a).astype(numpy.complex64))
positive = a @ a.T + 64 * numpy.eye(64, dtype=numpy.float32)
results.near("solve", cupy.linalg.solve(cupy.asarray(positive), y).get(), numpy.linalg.solve(positive, b))
sparse = numpy.where(a > 1, a, 0)
results.near("sparse product", (cupyx.scipy.sparse.csr_matrix(cupy.asarray(sparse)) @ y[:, 0]).get(), sparse @ b[:, 0])
uniform = cupy.random.default_rng(7).random(10000)
results.near("random", float(uniform.mean()), 0.5, 0.02)
kernel = cupy.RawKernel(r'''
extern "C" __global__ void scaled(const float* x, float* out, float factor, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) out[i] = factor * x[i];
}''', "scaled")
out = cupy.empty_like(x)
kernel((16,), (256,), (x, out, numpy.float32(3), numpy.int32(x.size)))
results.near("raw kernel", out.get(), 3 * a)
stream = cupy.cuda.Stream(non_blocking=True)
with stream:
    on_stream = x * 2 + y
stream.synchronize()
results.near("stream", on_stream.get(), a * 2 + b)
results.close()
