// SPDX-License-Identifier: MIT
// links.js: the call or submission of a kernel, copy or barrier, and the work of a call.

const MOST_ARROWS = 200; // of one slice

class Links {
  constructor(model) {
    this.shapes = model.shapes;
    this.works = model.rows.filter((row) => row.track_of !== null);
    this.hosts = new Map(); // by track: rows of calls, and of submissions
    for (const row of model.rows) {
      if (row.track === undefined) continue;
      if (!this.hosts.has(row.track)) this.hosts.set(row.track, []);
      this.hosts.get(row.track).push(row);
    }
  }

  // When the work was submitted, and when its call began; for a submission without a call, both are
  // equal.
  static times(row, i) {
    const submit = row.start[i] - (row.wait === null ? 0 : row.wait[i]);
    return {submit, begin: row.lead[i] > 0 ? submit - row.lead[i] + 1 : submit};
  }

  // {row, i} of the call or submission of the work, or null.
  origin(row, i) {
    if (!row.track_of || row.track_of[i] === 0) return null;
    const {begin} = Links.times(row, i);
    const isCall = row.lead[i] > 0;
    let best = null;
    for (const host of this.hosts.get(row.track_of[i]) ?? []) {
      if ((host.role === 'submissions') === isCall) continue;
      const at = firstStartingAt(host, begin + 1) - 1;
      if (at < 0 || host.end[at] < begin) continue;
      const isIt = host.start[at] === begin && this.shapes[host.what[at]].kind === Kind.call;
      if (isIt || best === null || !best.isIt) best = {row: host, i: at, isIt};
    }
    return best && {row: best.row, i: best.i};
  }

  // [{row, i}] of the work of a call or submission, in the order of time; at most MOST_ARROWS.
  work(row, i) {
    if (row.track === undefined) return [];
    const isCall = row.role !== 'submissions';
    const kind = this.shapes[row.what[i]].kind;
    if (isCall && kind !== Kind.call && row.countOf(i) === 1) return [];
    const last = row.countOf(i) === 1 ? row.start[i] : row.end[i];
    const found = [];
    for (const work of this.works) {
      for (let k = firstEndingAfter(work, row.start[i]); k < work.length && found.length < MOST_ARROWS; ++k) {
        if (work.track_of[k] !== row.track || work.lead[k] > 0 !== isCall) continue;
        const {begin} = Links.times(work, k);
        if (begin >= row.start[i] && begin <= last) found.push({row: work, i: k});
      }
    }
    return found.sort((a, b) => a.row.start[a.i] - b.row.start[b.i]);
  }

  // [{from, to}] of slices: the arrows that begin or end here.
  arrows(slice) {
    if (slice.row.track_of) {
      const from = this.origin(slice.row, slice.i);
      return from === null ? [] : [{from, to: slice}];
    }
    return this.work(slice.row, slice.i).map((to) => ({from: slice, to}));
  }
}

// Draws arrows from the call, at the time of the submission, to the start of the work.
class ArrowPainter {
  constructor(context, colour) {
    this.context = context;
    this.colour = colour;
  }

  draw(x0, y0, x1, y1) {
    const context = this.context;
    const bend = Math.max(12, Math.min(80, Math.abs(x1 - x0) / 2 + 12));
    const tip = 6;
    context.strokeStyle = context.fillStyle = this.colour;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - tip, y1);
    context.stroke();
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x1 - tip - 1, y1 - tip / 2 - 0.5);
    context.lineTo(x1 - tip - 1, y1 + tip / 2 + 0.5);
    context.fill();
  }
}
