# SPDX-License-Identifier: MIT
"""Molecular dynamics with OpenMM's HIP platform: forces, energies and ten steps of a box of charged particles and of
one of springs, beside the Reference platform."""
import numpy as np
import openmm
from openmm import unit

import check

SIDE = 5  # particles along an edge
SPACE = 0.35  # nm


def system(method):
    made = openmm.System()
    length = SIDE * SPACE
    made.setDefaultPeriodicBoxVectors((length, 0, 0), (0, length, 0), (0, 0, length))
    force = openmm.NonbondedForce()
    force.setNonbondedMethod(method)
    force.setCutoffDistance(0.8)
    springs = openmm.HarmonicBondForce()
    for i in range(SIDE ** 3):
        made.addParticle(18.0)
        force.addParticle(0.4 if i % 2 else -0.4, 0.3, 0.5)
        if i % SIDE:
            springs.addBond(i - 1, i, SPACE, 2000.0)
            force.addException(i - 1, i, 0, 1, 0)
    made.addForce(force)
    made.addForce(springs)
    return made


def positions():
    grid = np.array([(x, y, z) for x in range(SIDE) for y in range(SIDE) for z in range(SIDE)], dtype=float)
    return (grid + 0.15 * np.random.default_rng(3).random(grid.shape)) * SPACE


def run(platform, method):
    integrator = openmm.VerletIntegrator(0.001)
    context = openmm.Context(system(method), integrator, openmm.Platform.getPlatformByName(platform))
    context.setPositions(positions())

    def state():
        found = context.getState(getForces=True, getEnergy=True, getPositions=True)
        return (found.getForces(asNumpy=True).value_in_unit(unit.kilojoule_per_mole / unit.nanometer),
                np.array(found.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole)),
                found.getPositions(asNumpy=True).value_in_unit(unit.nanometer))
    forces, energy, _ = state()
    integrator.step(10)
    return forces, energy, state()[2]


results = check.Results()
for name, method in (("cutoff", openmm.NonbondedForce.CutoffPeriodic), ("Ewald", openmm.NonbondedForce.PME)):
    mine, theirs = run("HIP", method), run("Reference", method)
    for what, one, other in zip(("forces", "energy", "positions"), mine, theirs):
        results.near(f"{what}, {name}", one, other)
results.close()
