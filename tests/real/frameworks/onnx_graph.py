# SPDX-License-Identifier: MIT
"""A small network of six operators in ONNX Runtime's ROCm provider, beside its provider for processors."""

import check
import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

random = numpy.random.default_rng(3)


def numbers(*shape):
    return random.standard_normal(shape).astype(numpy.float32)


NODES = (("gemm", "MatMul", ["x", "w"]), ("bias", "Add", ["gemm", "b"]), ("relu", "Relu", ["bias"]),
         ("softmax", "Softmax", ["relu"]), ("sum", "ReduceSum", ["softmax"]), ("turned", "Transpose", ["relu"]))
graph = helper.make_graph(
    [helper.make_node(operator, inputs, [name]) for name, operator, inputs in NODES], "network",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [16, 48])],
    [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name, _, _ in NODES],
    [numpy_helper.from_array(numbers(48, 32), "w"), numpy_helper.from_array(numbers(32), "b")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def outputs(provider):
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=[provider])
    assert session.get_providers()[0] == provider, f"{provider} cannot be used: {session.get_providers()}"
    return session.run(None, {"x": x})


x = numbers(16, 48)
results = check.Results()
for (name, _, _), mine, theirs in zip(NODES, outputs("ROCMExecutionProvider"), outputs("CPUExecutionProvider")):
    results.near(name, mine, theirs)
results.close()
