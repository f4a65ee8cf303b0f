# SPDX-License-Identifier: MIT
"""tinygrad: elementwise, reductions, a product, a softmax, a convolution and a gradient. DEV chooses HIP or its own driver."""

import check
import numpy
from tinygrad import Tensor

random = numpy.random.default_rng(1)
a = random.standard_normal((64, 48)).astype(numpy.float32)
b = random.standard_normal((48, 32)).astype(numpy.float32)
x, w = Tensor(a), Tensor(b)

results = check.Results()
results.near("add", (x + x).numpy(), a + a)
results.near("exp2", x.exp2().numpy(), numpy.exp2(a))
results.near("sum", x.sum(axis=0).numpy(), a.sum(axis=0))
results.near("max", x.max(axis=1).numpy(), a.max(axis=1))
results.near("matmul", (x @ w).numpy(), a @ b)
e = numpy.exp(a - a.max(axis=1, keepdims=True))
results.near("softmax", x.softmax(axis=1).numpy(), e / e.sum(axis=1, keepdims=True))
image, filters = a.reshape(1, 1, 64, 48), b[:3, :3].reshape(1, 1, 3, 3)
windows = numpy.lib.stride_tricks.sliding_window_view(image[0, 0], (3, 3))
results.near("conv2d", Tensor(image).conv2d(Tensor(filters)).numpy()[0, 0],
             numpy.einsum("ijkl,kl->ij", windows, filters[0, 0]))
results.near("gradient", (x @ w).sum().gradient(w)[0].numpy(), numpy.repeat(a.sum(axis=0)[:, None], 32, axis=1))
results.close()
