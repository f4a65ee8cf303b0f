# SPDX-License-Identifier: MIT
"""A perceptron, a softmax and a sum, compiled by IREE for the GPU and run by its HIP driver, beside NumPy."""
import os

import iree.compiler
import iree.runtime
import numpy as np

import check

MODULE = """
func.func @layer(%x: tensor<32x48xf32>, %w: tensor<48x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x64xf32>) -> tensor<32x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<32x48xf32>, tensor<48x64xf32>)
                     outs(%fill : tensor<32x64xf32>) -> tensor<32x64xf32>
  %out = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%y : tensor<32x64xf32>) outs(%empty : tensor<32x64xf32>) {
    ^bb0(%v: f32, %o: f32):
      %m = arith.maximumf %v, %zero : f32
      linalg.yield %m : f32
  } -> tensor<32x64xf32>
  return %out : tensor<32x64xf32>
}
func.func @softmax(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %empty = tensor.empty() : tensor<16x64xf32>
  %out = linalg.softmax dimension(1) ins(%x : tensor<16x64xf32>) outs(%empty : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %out : tensor<16x64xf32>
}
func.func @sum(%x: tensor<32x64xf32>) -> tensor<32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<32xf32>) -> tensor<32xf32>
  %out = linalg.reduce { arith.addf } ins(%x : tensor<32x64xf32>) outs(%fill : tensor<32xf32>) dimensions = [1]
  return %out : tensor<32xf32>
}
"""

target = f"gfx{os.environ['VGPU_GFX']}"
module = iree.compiler.compile_str(MODULE, target_backends=["rocm"], extra_args=[f"--iree-rocm-target={target}"])
config = iree.runtime.Config("hip")
context = iree.runtime.SystemContext(config=config)
context.add_vm_module(iree.runtime.VmModule.copy_buffer(config.vm_instance, module))
functions = context.modules.module
random = np.random.default_rng(5)


def numbers(*shape):
    return random.standard_normal(shape).astype(np.float32)


results = check.Results()
x, w, y = numbers(32, 48), numbers(48, 64), numbers(16, 64)
layer = np.maximum(x @ w, 0)
results.near("perceptron", functions.layer(x, w).to_host(), layer)
exponential = np.exp(y - y.max(axis=1, keepdims=True))
results.near("softmax", functions.softmax(y).to_host(), exponential / exponential.sum(axis=1, keepdims=True))
results.near("sum", functions.sum(layer).to_host(), layer.sum(axis=1))
results.close()
