# SPDX-License-Identifier: MIT
"""llama.cpp as a wheel: the text that a tiny model with random weights writes on the GPU, against the processor's."""

import pathlib
import subprocess
import sys
import tempfile

import check
from inferna.api import GenerationConfig, complete

TINY_MODEL = pathlib.Path(__file__).resolve().parents[1] / "tiny_model.py"
results = check.Results()
with tempfile.TemporaryDirectory() as folder:
    model = f"{folder}/tiny.gguf"
    subprocess.run([sys.executable, TINY_MODEL, model], check=True)
    for prompt in ("once", "a kernel", "42"):
        texts = [str(complete(prompt, model, GenerationConfig(max_tokens=12, temperature=0.0, n_ctx=64, seed=1,
                                                              n_gpu_layers=layers))) for layers in (-1, 0)]
        results.same(prompt, *texts)
results.close()
