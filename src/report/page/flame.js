// SPDX-License-Identifier: MIT
// flame.js: the flame graph: GPU time by Python function, module, operator and kernel. The outermost
// frame is on top; the widest of siblings is leftmost.

const NARROWEST_FRAME = 0.4; // pixels; narrower ones are not drawn

class FlameGraph {
  // Nodes are in the order of a depth-first walk: those of a node follow it directly.
  constructor(flame) {
    this.frames = flame.frames.map(([kind, name, short]) => {
      const title = short ?? name;
      const label = kind === FrameKind.kernel ? title.slice(title.lastIndexOf('::') + 1).replace(/^:/, '') : title;
      return {kind, name, label, hue: hashOf(title) % 360};
    });
    const n = flame.nodes.length / 4 + 1;
    this.length = n;
    this.depth = new Uint16Array(n);
    this.frame = new Uint32Array(n);
    this.time = new Float64Array(n);
    this.kernels = new Float64Array(n);
    this.own = new Float64Array(n); // without what it contains
    this.from = new Float64Array(n);
    this.parent = new Int32Array(n).fill(-1);
    this.end = new Uint32Array(n).fill(n); // the first node that is not in it
    this.time[0] = this.own[0] = flame.time;
    this.kernels[0] = flame.kernels;
    const open = [0],
      used = [0]; // by depth: the node, and the time of its children so far
    for (let i = 1, at = 0; i < n; ++i) {
      const depth = flame.nodes[at++] + 1;
      this.depth[i] = depth;
      this.frame[i] = flame.nodes[at++];
      this.time[i] = this.own[i] = flame.nodes[at++];
      this.kernels[i] = flame.nodes[at++];
      for (; open.length > depth; used.pop()) this.end[open.pop()] = i;
      const parent = open[depth - 1];
      this.parent[i] = parent;
      this.from[i] = this.from[parent] + used[depth - 1];
      used[depth - 1] += this.time[i];
      this.own[parent] -= this.time[i];
      open.push(i);
      used.push(0);
    }
    this.deepest = this.depth.reduce((most, depth) => Math.max(most, depth), 0);
    this.least = flame.least;
    this.root = 0; // the node that fills the width
    this.selected = 0;
    this.wanted = '';
  }

  name(i) {
    return i === 0 ? 'all kernels' : this.frames[this.frame[i]].name;
  }
  label(i) {
    return i === 0 ? 'all kernels' : this.frames[this.frame[i]].label;
  }
  kind(i) {
    return i === 0 ? FrameKind.root : this.frames[this.frame[i]].kind;
  }
  matches(i) {
    return this.name(i).toLowerCase().includes(this.wanted);
  }

  // --- drawing

  draw() {
    const width = this.canvas.clientWidth;
    const context = fitCanvas(this.canvas, width, (this.deepest + 1) * ROW_HEIGHT + 1);
    context.font = FONT;
    context.textBaseline = 'middle';
    const dark = Theme.isDark();
    const colours = {text: dark ? '#eef1f4' : '#14181c', muted: Theme.value('muted'), accent: Theme.value('accent')};
    const letter = context.measureText('abcdefghijklmnopqrstuvwxyz').width / 25;
    this.shown = []; // {i, x, width}, in the order of nodes
    for (let up = this.root; up >= 0; up = this.parent[up]) this.shown.unshift({i: up, x: 0, width});
    const scale = width / Math.max(1, this.time[this.root]);
    for (let i = this.root + 1; i < this.end[this.root]; ) {
      const part = this.time[i] * scale;
      if (part < NARROWEST_FRAME) {
        i = this.end[i];
        continue;
      }
      this.shown.push({i, x: (this.from[i] - this.from[this.root]) * scale, width: part});
      ++i;
    }
    for (const each of this.shown) this.drawFrame(context, each, colours, letter, dark);
  }

  drawFrame(context, {i, x, width}, colours, letter, dark) {
    const y = this.depth[i] * ROW_HEIGHT;
    const hue = i === 0 ? 0 : this.frames[this.frame[i]].hue;
    const isMuted = this.wanted !== '' && !this.matches(i);
    context.fillStyle = isMuted ? colours.muted : frameColour(this.kind(i), hue, dark);
    context.globalAlpha = i < this.root ? 0.6 : 1;
    context.fillRect(x, y + 1, Math.max(0.5, width - (width > 3 ? 0.6 : 0)), ROW_HEIGHT - 2);
    context.globalAlpha = 1;
    const room = Math.floor((width - 8) / letter);
    if (width >= 36 && room >= 3) {
      const label = this.label(i);
      context.fillStyle = colours.text;
      context.fillText(label.length > room ? label.slice(0, room - 1) + '…' : label, x + 4, y + ROW_HEIGHT / 2 + 0.5);
    }
    if (i !== this.selected || i === 0) return;
    context.strokeStyle = colours.accent;
    context.lineWidth = 2;
    context.strokeRect(x + 1, y + 1, Math.max(2, width - 2), ROW_HEIGHT - 2);
  }

  drawLegend() {
    const swatches = FRAME_NAMES.slice(1, 4).map((name, i) => {
      const colour = frameColour(i + 1, 180, Theme.isDark());
      return make('span', {}, make('span', {class: 'swatch', style: `background:${colour}`}), name);
    });
    byId('flame-legend').replaceChildren(...swatches, make('span', {}, 'kernels have a colour for each name'));
  }

  // --- what is selected

  hit(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left,
      depth = Math.floor((event.clientY - box.top) / ROW_HEIGHT);
    const found = this.shown.find((each) => this.depth[each.i] === depth && x >= each.x && x < each.x + each.width);
    return found === undefined ? -1 : found.i;
  }

  facts(i) {
    const all = this.time[0];
    const facts = [
      FRAME_NAMES[this.kind(i)],
      `${duration(this.time[i])} on the GPU, ${percent(this.time[i], all)}`,
      plural(this.kernels[i], 'kernel'),
    ];
    if (this.kind(i) !== FrameKind.kernel && i !== 0) facts.splice(2, 0, `${duration(Math.max(0, this.own[i]))} of its own`);
    return facts.filter((fact) => fact !== '');
  }

  select(i) {
    this.selected = i;
    const buttons = [];
    if (i !== this.root && this.kind(i) !== FrameKind.kernel)
      buttons.push(make('button', {type: 'button', id: 'flame-zoom', onclick: () => this.zoom(i)}, 'Zoom to it'), ' ');
    if (this.root !== 0)
      buttons.push(make('button', {type: 'button', id: 'flame-whole', onclick: () => this.zoom(0)}, 'Whole graph'), ' ');
    if (i !== 0)
      buttons.push(
        make('button', {type: 'button', onclick: () => filterFor(this.name(i))}, 'Filter for this name'),
      );
    byId('flame-details').replaceChildren(
      make('div', {}, make('b', {}, this.name(i))),
      make('div', {class: 'facts'}, ...this.facts(i).map((fact) => make('span', {}, fact)), ...buttons),
    );
    this.draw();
  }

  zoom(i) {
    this.root = i;
    this.select(i);
  }

  filter(wanted) {
    this.wanted = wanted.trim().toLowerCase();
    let time = 0;
    for (let i = 1; this.wanted !== '' && i < this.length; ) {
      const found = this.matches(i);
      if (found) time += this.time[i];
      i = found ? this.end[i] : i + 1;
    }
    byId('flame-matches').textContent =
      this.wanted === '' ? '' : `Matches have ${duration(time)}, ${percent(time, this.time[0])} of the GPU time.`;
    this.draw();
  }

  // The sibling before or after, the parent, or the first one within.
  step(key) {
    const i = this.selected;
    const next = {
      arrowdown: () => (i + 1 < this.end[i] ? i + 1 : i),
      arrowup: () => Math.max(0, this.parent[i]),
      arrowright: () => (this.end[i] < this.length && this.parent[this.end[i]] === this.parent[i] ? this.end[i] : i),
      arrowleft: () => {
        let before = i - 1;
        while (before > 0 && this.depth[before] > this.depth[i]) before = this.parent[before];
        return before > 0 && this.depth[before] === this.depth[i] ? before : i;
      },
    }[key];
    if (next === undefined) return false;
    const to = next();
    if (to < this.root || to >= this.end[this.root]) this.root = this.parent[to] < 0 ? 0 : this.parent[to];
    this.select(to);
    const top = this.depth[to] * ROW_HEIGHT;
    const scroller = byId('flame-scroller');
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + ROW_HEIGHT > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = top + ROW_HEIGHT - scroller.clientHeight;
    return true;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const done =
      key === 'enter' ? (this.zoom(this.selected), true) : key === '0' ? (this.zoom(0), true) : this.step(key);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  }

  listen() {
    this.canvas.addEventListener('click', (event) => {
      const i = this.hit(event);
      if (i < 0) return;
      if (i === this.selected || i < this.root) this.zoom(this.kind(i) === FrameKind.kernel ? this.parent[i] : i);
      else this.select(i);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      const i = this.hit(event);
      if (i < 0) hideTip();
      else showTextTip(this.name(i), this.facts(i), event);
    });
    this.canvas.addEventListener('pointerleave', hideTip);
    byId('flame-scroller').addEventListener('keydown', (event) => this.key(event));
  }
}

// Null: the trace knows no operators.
function makeFlame(model, redraw) {
  if (model.flame === undefined) return null;
  const flame = new FlameGraph(model.flame);
  flame.canvas = make('canvas', {id: 'flame-canvas', 'aria-hidden': 'true'});
  const left = flame.least > 0 ? ` Frames with less than ${duration(flame.least)} are left out.` : '';
  byId('timeline').after(
    make(
      'section',
      {id: 'flame', 'aria-labelledby': 'flame-title'},
      make('h2', {id: 'flame-title'}, 'GPU time by operator'),
      make(
        'p',
        {class: 'note'},
        'Time of kernels by what launched them: Python functions, modules, operators and ranges, the outermost on top.' +
          ' A click selects a frame, a second one zooms to it.' +
          left +
          ' ',
        make('span', {id: 'flame-matches', role: 'status'}),
      ),
      make(
        'div',
        {
          id: 'flame-scroller',
          tabindex: '0',
          role: 'application',
          'aria-label': 'Flame graph. Arrow keys select a frame, Enter zooms to it, 0 shows the whole graph.',
        },
        flame.canvas,
      ),
      make('div', {id: 'flame-details', role: 'status'}),
      make('div', {class: 'legend', id: 'flame-legend'}),
    ),
  );
  flame.listen();
  flame.select(0);
  redraw.push(() => {
    flame.drawLegend();
    flame.draw();
  });
  return flame;
}
