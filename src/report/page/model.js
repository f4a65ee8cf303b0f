// SPDX-License-Identifier: MIT
// model.js: the data of the page. The numbers are those of src/report/shapes.h and pack.h.

const Kind = {kernel: 0, fill: 1, copy: 2, barrier: 3, range: 4, mark: 5, call: 6, event: 7, submit: 8, idle: 9, operator: 10, function: 11};
const KIND_NAMES = ['kernel', 'fill', 'copy', 'barrier', 'range', 'mark', 'HIP call', 'event', 'submission', 'idle', 'operator', 'Python function'];

class Shape {
  constructor(
    model,
    [kind, name, cause = 0, bytes = 0, gx = 0, gy = 0, gz = 0, wx = 0, wy = 0, wz = 0, lds = 0, scratch = 0, inputs = 0],
  ) {
    this.kind = kind;
    this.cause = cause;
    this.bytes = bytes;
    this.grid = [gx, gy, gz];
    this.workgroup = [wx, wy, wz];
    this.lds = lds;
    this.scratch = scratch;
    this.inputs = inputs === 0 ? '' : model.names[inputs - 1];
    this.name = model.names[name];
    this.title = (kind <= Kind.copy && model.short[name]) || this.name;
    if (kind === Kind.idle) {
      const where = this.name && (cause === 0 ? ` in range "${this.name}"` : `, ${this.name}`);
      this.title = this.name = 'idle: ' + model.causes[cause] + where;
    }
    // The short label for narrow slices.
    this.label = kind <= Kind.copy ? this.title.slice(this.title.lastIndexOf('::') + 1).replace(/^:/, '') : this.title;
  }
}

// Runs of a row: start, end, what (a shape), count, busy or wait, and for GPU work its origin
// (links.js); in typed arrays.
class Row {
  constructor(facts, read) {
    Object.assign(this, facts);
    const n = (this.length = read());
    this.start = new Float64Array(n);
    this.end = new Float64Array(n);
    this.what = new Uint32Array(n);
    this.wait = null; // null: no run has a wait
    this.count = null; // null: every run is one slice
    this.busy = null;
    this.track_of = null; // by run: the track of its call or submission, 0: not known
    this.lead = null; // from the beginning of its call to its submission, and 1 ns; 0: no call is known
    this.readRuns(read);
    this.readLinks(read);
    this.readGroups(read);
  }

  readRuns(read) {
    const n = this.length;
    let merged = 0;
    for (let i = 0; i < n; ++i) this.start[i] = read();
    for (let i = 0, at = 0; i < n; ++i) {
      this.start[i] += at;
      this.end[i] = at = this.start[i] + read();
    }
    const several = new Uint8Array(n);
    for (let i = 0; i < n; ++i) {
      const value = read();
      several[i] = value & 1;
      merged += several[i];
      this.what[i] = value >>> 1;
    }
    for (let i = 0; i < n; ++i) {
      if (several[i]) continue;
      const wait = read();
      if (wait === 0) continue;
      this.wait ??= new Float64Array(n);
      this.wait[i] = wait;
    }
    if (merged === 0) return;
    this.count = new Float64Array(n).fill(1);
    this.busy = new Float64Array(n);
    for (let i = 0; i < n; ++i) if (several[i]) this.count[i] = read();
    for (let i = 0; i < n; ++i) this.busy[i] = several[i] ? read() : this.end[i] - this.start[i];
  }

  readLinks(read) {
    if (read() === 0) return;
    const n = this.length;
    this.track_of = new Uint32Array(n);
    this.lead = new Uint32Array(n);
    for (const column of [this.track_of, this.lead]) {
      for (let i = 0; i < n; ++i) if (this.countOf(i) === 1) column[i] = read();
    }
  }

  // A row of groups, if there are any.
  readGroups(read) {
    const n = read();
    this.groups = null;
    if (n === 0) return;
    const groups = {
      length: n,
      start: new Float64Array(n),
      end: new Float64Array(n),
      what: new Uint32Array(n),
      busy: new Float64Array(n),
      count: null,
      isGroups: true,
    };
    for (let g = 0, first = 0; g < n; ++g) {
      const next = first + read();
      groups.what[g] = read();
      groups.start[g] = this.start[first];
      groups.end[g] = this.end[next - 1];
      let busy = 0;
      for (; first < next; ++first) busy += this.busyOf(first);
      groups.busy[g] = busy;
    }
    this.groups = groups;
  }

  busyOf(i) {
    return this.busy === null ? this.end[i] - this.start[i] : this.busy[i];
  }
  countOf(i) {
    return this.count === null ? 1 : this.count[i];
  }
}

// The first run that ends after `time`.
function firstEndingAfter(runs, time) {
  let low = 0,
    high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (runs.end[middle] > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The first run that starts at `time` or later.
function firstStartingAt(runs, time) {
  let low = 0,
    high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (runs.start[middle] >= time) high = middle;
    else low = middle + 1;
  }
  return low;
}

function reader(bytes) {
  let at = 0;
  return () => {
    let byte = bytes[at++];
    if (byte < 128) return byte;
    let value = byte & 127,
      scale = 128;
    do {
      byte = bytes[at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  };
}

async function unpacked(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function readModel() {
  const model = JSON.parse(byId('model').textContent);
  model.shapes = model.shapes.map((values) => new Shape(model, values));
  const element = byId('rows');
  const read = reader(await unpacked(element.textContent.trim()));
  element.remove();
  model.rows = model.rows.map((facts) => new Row(facts, read));
  return model;
}
