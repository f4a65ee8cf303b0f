# SPDX-License-Identifier: MIT
"""Quantum circuits on PennyLane's simulator for AMD GPUs, beside its simulator in Python."""
import numpy as np
import pennylane as qml

import check

WIRES = 5


def circuit(device):
    @qml.qnode(device)
    def run(angles):
        for wire in range(WIRES):
            qml.Hadamard(wire)
            qml.RX(angles[wire], wire)
            qml.RY(angles[wire] ** 2, wire)
        for wire in range(WIRES):
            qml.CNOT([wire, (wire + 1) % WIRES])
        qml.CRZ(angles[0], [0, 2])
        qml.Toffoli([1, 2, 3])
        return [qml.expval(qml.PauliZ(0)), qml.expval(qml.PauliX(1) @ qml.PauliY(2)), qml.probs(wires=range(WIRES))]
    return run


results = check.Results()
angles = np.linspace(0.1, 2.3, WIRES)
mine, theirs = circuit(qml.device("lightning.amdgpu", wires=WIRES)), circuit(qml.device("default.qubit", wires=WIRES))
for name, one, other in zip(("Z", "XY", "probabilities"), mine(angles), theirs(angles)):
    results.near(name, np.asarray(one), np.asarray(other))
results.close()
