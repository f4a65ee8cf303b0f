#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A heat map of ranks by steps, of a dataset of rtl (docs/guide/many-ranks.md): where ranks computed longer than others,
and where they waited in collectives.

    heat_map.py DATASET PICTURE.png

Needs duckdb and matplotlib.
"""
import sys

import duckdb
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def main(dataset, picture):
    steps = duckdb.connect().execute(
        "select rank, step, sum(computing) / 1e6 as computing, sum(communicating) / 1e6 as communicating "
        f"from read_parquet('{dataset}/steps/*.parquet') where rank is not null and step is not null "
        "group by rank, step order by rank, step").fetchnumpy()
    ranks, numbers = sorted(set(steps["rank"])), sorted(set(steps["step"]))
    figure, axes = plt.subplots(2, 1, figsize=(9, 2 + 0.2 * len(ranks)), sharex=True, layout="constrained")
    for axis, column, title in ((axes[0], "computing", "computing"), (axes[1], "communicating", "in collectives, waiting included")):
        cells = [[float("nan")] * len(numbers) for _ in ranks]  # a rank without the step stays white
        for rank, step, value in zip(steps["rank"], steps["step"], steps[column]):
            cells[ranks.index(rank)][numbers.index(step)] = value
        # One late step must not hide the rest: the brightest colour begins where 5 % of the cells are above.
        values = sorted(steps[column])
        image = axis.imshow(cells, aspect="auto", cmap="viridis", interpolation="nearest", vmin=values[0],
                            vmax=values[int(0.95 * (len(values) - 1))])
        figure.colorbar(image, ax=axis, label="ms", extend="max")
        axis.set(title=title, ylabel="rank", yticks=range(0, len(ranks), 2), yticklabels=ranks[::2])
    axes[1].set(xlabel="step", xticks=range(len(numbers)), xticklabels=numbers)
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
