// SPDX-License-Identifier: MIT
// draw.js: draws one row of the timeline within the time of a frame, whatever the row holds. A
// slice wider than a pixel is drawn by itself. Narrower slices share a pixel: its fill shows how
// busy it was, its colour the slice with the largest part.

const ROW_HEIGHT = 18;
const MOST_DRAWN = 131072; // runs of a row in view; with more, groups are drawn
const NO_SHAPE = -1;

class Palette {
  constructor(model) {
    this.shapes = model.shapes;
    this.hues = model.shapes.map((shape) => hashOf(shape.title) % 360);
    this.refresh();
  }

  refresh() {
    const dark = Theme.isDark();
    this.text = dark ? '#eef1f4' : '#14181c';
    this.muted = Theme.value('muted');
    this.busy = Theme.value('busy');
    this.lane = Theme.value('lane');
    this.line = Theme.value('line');
    this.soft = Theme.value('soft');
    this.accent = Theme.value('accent');
    this.colours = this.shapes.map((shape, i) => {
      const hue = this.hues[i];
      switch (shape.kind) {
        case Kind.kernel:
          return dark ? `hsl(${hue} 45% 38%)` : `hsl(${hue} 62% 74%)`;
        case Kind.range:
          return dark ? `hsl(${hue} 30% 34%)` : `hsl(${hue} 45% 82%)`;
        case Kind.call:
          return dark ? `hsl(${200 + hue / 6} 28% 36%)` : `hsl(${200 + hue / 6} 42% 78%)`;
        case Kind.fill:
          return dark ? '#6b6f4a' : '#d8d9a5';
        case Kind.copy:
          return dark ? '#2f629f' : '#93bdf0';
        case Kind.barrier:
          return dark ? '#59606a' : '#b9c0c9';
        case Kind.mark:
          return dark ? '#f2a7c3' : '#b0265f';
        case Kind.submit:
          return dark ? '#9aa4b0' : '#5f6b78';
        case Kind.idle:
          return CAUSE_COLOURS[shape.cause];
        case Kind.operator:
          return frameColour(FrameKind.operator, hue, dark);
        case Kind.function:
          return frameColour(shape.name.startsWith('nn.Module: ') ? FrameKind.module : FrameKind.function, hue, dark);
        default:
          return dark ? '#4d6a66' : '#a9d1cb';
      }
    });
  }
}

// The narrow slices of one pixel.
class Pixel {
  constructor() {
    this.x = -1;
  }
  open(x) {
    this.x = x;
    this.covered = 0;
    this.what = NO_SHAPE;
    this.most = -1;
  }
  add(what, part) {
    this.covered += part;
    // The colour of the longest slice; slices that match the filter come first.
    const rank = what === NO_SHAPE ? part - 1e9 : part;
    if (this.most === -1 || rank > this.most) {
      this.most = rank;
      this.what = what;
    }
  }
}

class RowPainter {
  // `matches`: by shape, of a filter; null: there is none.
  constructor(context, palette, shapes) {
    this.context = context;
    this.palette = palette;
    this.shapes = shapes;
    this.pixel = new Pixel();
    this.matches = null;
    this.letter = context.measureText('abcdefghijklmnopqrstuvwxyz').width / 25;
  }

  colourOf(what) {
    return what === NO_SHAPE || (this.matches !== null && this.matches[what] === 0)
      ? this.palette.muted
      : this.palette.colours[what];
  }

  // `view`: from, to (ns), left, width (pixels).
  draw(row, view, y) {
    const scale = view.width / (view.to - view.from);
    let runs = row;
    let low = firstEndingAfter(row, view.from),
      high = firstStartingAt(row, view.to);
    if (row.groups !== null && high - low > MOST_DRAWN) {
      runs = row.groups;
      low = firstEndingAfter(runs, view.from);
      high = firstStartingAt(runs, view.to);
    }
    // Marks have no length: a mark at the beginning of the view belongs to it.
    while (low > 0 && runs.start[low - 1] >= view.from) --low;
    const height = ROW_HEIGHT - 2;
    const right = view.left + view.width;
    for (let i = low; i < high; ++i) {
      const x0 = view.left + (runs.start[i] - view.from) * scale;
      const x1 = view.left + (runs.end[i] - view.from) * scale;
      if (x1 - x0 >= 1.5) {
        this.flush(y, height);
        this.slice(runs, i, Math.max(view.left, x0), Math.min(right, x1), y, height);
      } else {
        this.narrow(runs, i, x0, x1, y, height);
      }
    }
    this.flush(y, height);
  }

  slice(runs, i, x0, x1, y, height) {
    const context = this.context;
    const what = runs.what[i];
    const length = runs.end[i] - runs.start[i];
    const share = runs.busy === null || length === 0 ? 1 : Math.min(1, runs.busy[i] / length);
    const several = runs.isGroups || (runs.count !== null && runs.count[i] > 1);
    context.fillStyle = this.colourOf(what);
    context.globalAlpha = several ? 0.3 + 0.6 * share : 1;
    context.fillRect(x0, y + 1, Math.max(1, x1 - x0 - (x1 - x0 > 3 ? 0.6 : 0)), height);
    context.globalAlpha = 1;
    if (x1 - x0 < 36 || runs.isGroups) return;
    const shape = this.shapes[what];
    const title = (several ? grouped(runs.count[i]) + ' × ' : '') + shape.label;
    const room = Math.floor((x1 - x0 - 8) / this.letter);
    if (room < 3) return;
    const onColour = shape.kind === Kind.idle && this.colourOf(what) !== this.palette.muted;
    context.fillStyle = onColour ? '#101214' : this.palette.text;
    if (shape.kind === Kind.mark) context.fillStyle = this.palette.soft;
    context.fillText(title.length > room ? title.slice(0, room - 1) + '…' : title, x0 + 4, y + ROW_HEIGHT / 2 + 0.5);
  }

  narrow(runs, i, x0, x1, y, height) {
    const pixel = this.pixel;
    const length = runs.end[i] - runs.start[i];
    const share = runs.busy === null || length === 0 ? 1 : Math.min(1, runs.busy[i] / length);
    const what = this.matches !== null && this.matches[runs.what[i]] === 0 ? NO_SHAPE : runs.what[i];
    const from = Math.floor(x0);
    if (pixel.x !== from) {
      this.flush(y, height);
      pixel.open(from);
    }
    const inside = Math.min(x1, from + 1) - x0;
    pixel.add(what, Math.max(0.04, inside * share));
    if (x1 <= from + 1) return;
    this.flush(y, height);
    pixel.open(from + 1);
    pixel.add(what, (x1 - from - 1) * share);
  }

  flush(y, height) {
    const pixel = this.pixel;
    if (pixel.x < 0) return;
    const context = this.context;
    context.fillStyle = pixel.what === NO_SHAPE ? this.palette.muted : this.palette.colours[pixel.what];
    context.globalAlpha = Math.min(1, 0.25 + 0.75 * pixel.covered);
    context.fillRect(pixel.x, y + 1, 1, height);
    context.globalAlpha = 1;
    pixel.x = -1;
  }
}

// Sizes a canvas to its element, in pixels of the screen.
function fitCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const w = Math.max(1, Math.round(width * ratio)),
    h = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  canvas.style.height = height + 'px';
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

// Round times at sufficient distance from each other.
function ticks(from, to, width) {
  const least = (to - from) / Math.max(2, width / 110);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((each) => each >= least) ?? 10 * power;
  const times = [];
  // Counted, since at large times a step may not change the sum.
  for (let n = Math.ceil(from / step); n * step <= to && times.length < width; ++n) times.push(n * step);
  return {times, step};
}
