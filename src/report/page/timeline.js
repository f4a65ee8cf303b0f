// SPDX-License-Identifier: MIT
// timeline.js: the view of the rows: scrolling and zooming, and input from mouse, fingers and keys.

const SHORTEST_VIEW = 100; // ns
const FONT = '11.5px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';

class Timeline {
  constructor(model) {
    this.model = model;
    this.palette = new Palette(model);
    this.from = 0;
    this.to = this.end = Math.max(model.elapsed, SHORTEST_VIEW);
    this.matches = null;
    this.selected = null; // {row, i}
    this.hovered = null; // {row, i}
    this.links = new Links(model);
    this.arrows = []; // of the selection: {from, to}
    this.hoverArrows = []; // of the slice under the pointer
    this.band = null; // of Shift and drag: {from, to}
    this.closed = new Set(); // processes
    this.canvas = byId('lanes');
    this.scroller = byId('scroller');
    this.idle = new Map(model.gpus.map((gpu) => [`GPU ${gpu.gpu}`, gpu]));
    this.layOut();
    this.listen();
    Theme.changed.push(() => {
      this.palette.refresh();
      this.draw();
    });
    new ResizeObserver(() => this.schedule()).observe(this.scroller);
    this.draw();
  }

  // Positions of rows and of the names of processes, from top to bottom.
  layOut() {
    const labels = byId('labels');
    labels.replaceChildren();
    this.items = [];
    let y = 0,
      process;
    for (const row of this.model.rows) {
      if (row.process !== process && row.process !== undefined) {
        this.addProcess(row.process, y, labels);
        y += ROW_HEIGHT + 4;
      }
      process = row.process;
      if (process !== undefined && this.closed.has(process)) continue;
      const height = ROW_HEIGHT + (row.role === 'idle' ? 6 : 0);
      this.items.push({row, y, height});
      if (row.title !== '') {
        const title = row.role === 'idle' ? this.gpuTitle(row.title) : row.title;
        labels.append(make('div', {class: 'label', style: `top:${y}px`, title}, title));
      }
      y += height;
    }
    this.height = Math.max(y, ROW_HEIGHT);
    labels.style.height = this.height + 'px';
    this.scroller.style.height = this.height + 2 + 'px'; // at most what the style sheet allows
  }

  gpuTitle(title) {
    const gpu = this.idle.get(title);
    const name = gpu && this.model.gpu_names[gpu.gpu];
    return title + (name ? ` (${name})` : '') + ', idle';
  }

  addProcess(process, y, labels) {
    const open = !this.closed.has(process);
    const button = make(
      'button',
      {
        type: 'button',
        'aria-expanded': String(open),
        onclick: () => {
          if (!this.closed.delete(process)) this.closed.add(process);
          this.layOut();
          this.schedule();
        },
      },
      (open ? '▾ ' : '▸ ') + this.model.processes[process],
    );
    labels.append(make('div', {class: 'label process', style: `top:${y + 2}px`}, button));
    this.items.push({process, y, height: ROW_HEIGHT + 4});
  }

  // --- what is in view

  place() {
    const width = this.scroller.clientWidth;
    const side = width < 700 ? 92 : 190;
    return {from: this.from, to: this.to, left: side, width: Math.max(40, width - side)};
  }

  show(from, to) {
    const width = Math.min(this.end, Math.max(SHORTEST_VIEW, to - from));
    const start = Math.max(0, Math.min(this.end - width, (from + to - width) / 2));
    this.from = start;
    this.to = start + width;
    this.schedule();
  }

  // From the first to the last work of any GPU.
  showWork() {
    if (this.model.gpus.length === 0) return;
    const first = Math.min(...this.model.gpus.map((gpu) => gpu.first));
    const last = Math.max(...this.model.gpus.map((gpu) => gpu.first + gpu.elapsed));
    const margin = (last - first) * 0.03;
    this.show(first - margin, last + margin);
  }

  zoom(factor, at = (this.from + this.to) / 2) {
    this.show(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }

  pan(part) {
    const by = (this.to - this.from) * part;
    const shift = Math.max(-this.from, Math.min(this.end - this.to, by));
    this.show(this.from + shift, this.to + shift);
  }

  schedule() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  timeAt(x) {
    const view = this.place();
    return view.from + ((x - view.left) / view.width) * (view.to - view.from);
  }

  // --- drawing

  draw() {
    const view = this.place();
    document.documentElement.style.setProperty('--side', view.left + 'px');
    // As high as the visible part of the rows; the canvas stays in place while they scroll.
    const height = Math.min(this.height, this.scroller.clientHeight || this.height);
    this.canvas.style.width = this.scroller.clientWidth + 'px';
    const context = fitCanvas(this.canvas, this.scroller.clientWidth, height);
    context.font = FONT;
    context.textBaseline = 'middle';
    const painter = new RowPainter(context, this.palette, this.model.shapes);
    painter.matches = this.matches;
    const top = this.scroller.scrollTop;
    this.drawGrid(context, view, height);
    for (const item of this.items) {
      if (item.y + item.height < top || item.y > top + height) continue;
      this.drawItem(context, painter, item, view, item.y - top);
    }
    this.drawSelection(context, view, top, height);
    this.drawArrows(context, view, top, height);
    this.drawRuler(view);
    this.drawOverview(view);
    const shown = view.to - view.from;
    const text = `${moment(view.from, shown, view.to)} to ${moment(view.to, shown)} of ${duration(this.end)}`;
    const output = byId('view');
    if (output.textContent !== text) output.textContent = text;
    output.dataset.from = view.from;
    output.dataset.to = view.to;
  }

  drawGrid(context, view, height) {
    context.fillStyle = this.palette.line;
    context.globalAlpha = 0.5;
    for (const time of ticks(view.from, view.to, view.width).times) {
      context.fillRect(view.left + ((time - view.from) / (view.to - view.from)) * view.width, 0, 1, height);
    }
    context.globalAlpha = 1;
    context.fillStyle = this.palette.line;
    context.fillRect(view.left - 1, 0, 1, height);
  }

  drawItem(context, painter, item, view, y) {
    if (item.process !== undefined) {
      context.fillStyle = this.palette.lane;
      context.fillRect(0, y, view.left + view.width, item.height);
      return;
    }
    context.save();
    context.beginPath();
    context.rect(view.left, y, view.width, item.height);
    context.clip();
    if (item.row.role === 'idle') this.drawBusy(context, item.row, view, y);
    painter.draw(item.row, view, y + (item.height - ROW_HEIGHT) / 2);
    context.restore();
  }

  // Drawn under the gaps, from the first work of the GPU to the last.
  drawBusy(context, row, view, y) {
    const gpu = this.idle.get(row.title);
    if (gpu === undefined) return;
    const scale = view.width / (view.to - view.from);
    const x0 = Math.max(view.left, view.left + (gpu.first - view.from) * scale);
    const x1 = Math.min(view.left + view.width, view.left + (gpu.first + gpu.elapsed - view.from) * scale);
    if (x1 <= x0) return;
    context.fillStyle = this.palette.busy;
    context.fillRect(x0, y + 4, Math.max(1, x1 - x0), ROW_HEIGHT - 2);
  }

  drawSelection(context, view, top, height) {
    const scale = view.width / (view.to - view.from);
    const x = (time) => Math.max(view.left, Math.min(view.left + view.width, view.left + (time - view.from) * scale));
    if (this.band !== null) {
      context.fillStyle = this.palette.accent;
      context.globalAlpha = 0.18;
      context.fillRect(x(this.band.from), 0, x(this.band.to) - x(this.band.from), height);
      context.globalAlpha = 1;
    }
    const item = this.selected && this.items.find((each) => each.row === this.selected.row);
    if (!item) return;
    const {row, i} = this.selected;
    if (row.end[i] < view.from || row.start[i] > view.to) return;
    context.strokeStyle = this.palette.accent;
    context.lineWidth = 2;
    const x0 = x(row.start[i]),
      x1 = x(row.end[i]);
    context.strokeRect(x0 - 1, item.y - top + 1, Math.max(3, x1 - x0 + 2), item.height - 2);
  }

  // Arrows of the selection, and fainter ones of the slice under the pointer.
  drawArrows(context, view, top, height) {
    if (this.arrows.length + this.hoverArrows.length === 0) return;
    const places = new Map(this.items.filter((item) => item.row).map((item) => [item.row, item]));
    const scale = view.width / (view.to - view.from);
    const x = (time) => view.left + (time - view.from) * scale;
    const painter = new ArrowPainter(context, this.palette.accent);
    context.save();
    context.beginPath();
    context.rect(view.left, 0, view.width, height);
    context.clip();
    for (const [arrows, alpha] of [
      [this.hoverArrows, 0.55],
      [this.arrows, 1],
    ]) {
      context.globalAlpha = alpha;
      for (const {from, to} of arrows) {
        const source = places.get(from.row),
          target = places.get(to.row);
        if (source === undefined || target === undefined) continue; // in a closed process
        const {submit} = Links.times(to.row, to.i);
        const middle = (item) => item.y - top + item.height / 2;
        painter.draw(x(submit), middle(source), x(to.row.start[to.i]), middle(target));
      }
    }
    context.restore();
  }

  drawRuler(view) {
    const canvas = byId('ruler');
    const context = fitCanvas(canvas, canvas.clientWidth, 22);
    context.font = FONT;
    context.textBaseline = 'middle';
    context.fillStyle = this.palette.soft;
    const {times, step} = ticks(view.from, view.to, view.width);
    const [size, unit] = unitFor(view.to);
    const digits = Math.max(0, -Math.floor(Math.log10(step / size) + 1e-9));
    for (const time of times) {
      const x = view.left + ((time - view.from) / (view.to - view.from)) * view.width;
      context.fillRect(x, 16, 1, 6);
      const text = (time / size).toFixed(digits) + ' ' + unit;
      const width = context.measureText(text).width;
      context.fillText(text, Math.max(view.left, Math.min(x - width / 2, view.left + view.width - width)), 8);
    }
  }

  // The whole trace, with the part in view.
  drawOverview(view) {
    const canvas = byId('overview');
    const width = canvas.clientWidth - 2;
    const all = {from: 0, to: this.end, left: 0, width};
    const key = `${width} ${Theme.isDark()} ${window.devicePixelRatio}`;
    if (this.overviewKey !== key) {
      this.overviewKey = key;
      this.overviewPicture = document.createElement('canvas');
      const context = fitCanvas(this.overviewPicture, width, 34);
      const painter = new RowPainter(context, this.palette, this.model.shapes);
      const idle = this.model.rows.filter((row) => row.role === 'idle');
      const rows = (idle.length > 0 ? idle : this.model.rows).slice(0, 8);
      context.scale(1, 34 / (rows.length * ROW_HEIGHT));
      rows.forEach((row, n) => {
        if (row.role === 'idle') this.drawBusy(context, row, all, n * ROW_HEIGHT - 3);
        painter.draw({...row, groups: row.groups, length: row.length, isGroups: true}, all, n * ROW_HEIGHT);
      });
    }
    const context = fitCanvas(canvas, canvas.clientWidth, 34);
    context.drawImage(this.overviewPicture, 0, 0, width, 34);
    const x0 = (view.from / this.end) * width,
      x1 = (view.to / this.end) * width;
    context.fillStyle = this.palette.lane;
    context.globalAlpha = 0.72;
    context.fillRect(0, 0, x0, 34);
    context.fillRect(x1, 0, width - x1, 34);
    context.globalAlpha = 1;
    context.strokeStyle = this.palette.accent;
    context.lineWidth = 1.5;
    context.strokeRect(x0 + 0.75, 0.75, Math.max(2, x1 - x0 - 1.5), 32.5);
  }

  // --- finding slices

  hit(x, y) {
    const view = this.place();
    if (x < view.left) return null;
    const at = y + this.scroller.scrollTop;
    const item = this.items.find((each) => at >= each.y && at < each.y + each.height);
    if (item === undefined || item.row === undefined || item.row.length === 0) return null;
    const {row} = item;
    const near = (2.5 * (view.to - view.from)) / view.width;
    const time = this.timeAt(x);
    let best = -1,
      most = -Infinity;
    const last = Math.min(row.length, firstStartingAt(row, time + near));
    for (let i = Math.max(0, firstEndingAfter(row, time - near) - 1), n = 0; i < last && n < 1000; ++i, ++n) {
      const away = Math.max(row.start[i] - time, time - row.end[i], 0);
      if (away > near) continue;
      const rank = row.end[i] - row.start[i] - away * 1e3;
      if (rank > most) {
        most = rank;
        best = i;
      }
    }
    return best < 0 ? null : {row, i: best};
  }

  select(slice, reveal = false) {
    this.selected = slice;
    this.arrows = slice === null ? [] : this.links.arrows(slice);
    showDetails(this, slice);
    if (slice !== null && reveal) {
      const {row, i} = slice;
      if (row.start[i] < this.from || row.end[i] > this.to) {
        const half = Math.max((this.to - this.from) / 2, (row.end[i] - row.start[i]) * 0.75);
        const middle = (row.start[i] + row.end[i]) / 2;
        this.show(middle - half, middle + half);
      }
      this.scrollTo(row);
    }
    this.schedule();
  }

  hover(slice) {
    const same = slice === this.hovered || (slice && this.hovered?.row === slice.row && this.hovered.i === slice.i);
    if (same) return;
    this.hovered = slice;
    const before = this.hoverArrows.length;
    this.hoverArrows = slice === null ? [] : this.links.arrows(slice);
    if (before + this.hoverArrows.length > 0) this.schedule();
  }

  // To the other end of the first arrow of the selection.
  follow() {
    if (this.selected === null || this.arrows.length === 0) return;
    const {from, to} = this.arrows[0];
    this.select(this.selected.row === to.row && this.selected.i === to.i ? from : to, true);
  }

  scrollTo(row) {
    const item = this.items.find((each) => each.row === row);
    if (item === undefined) return;
    const top = this.scroller.scrollTop,
      height = this.scroller.clientHeight;
    if (item.y < top) this.scroller.scrollTop = item.y;
    else if (item.y + item.height > top + height) this.scroller.scrollTop = item.y + item.height - height;
  }

  zoomTo(slice) {
    const {row, i} = slice;
    const length = Math.max(row.end[i] - row.start[i], SHORTEST_VIEW / 4);
    this.show(row.start[i] - length, row.end[i] + length);
  }

  setFilter(text) {
    const wanted = text.trim().toLowerCase();
    if (wanted === '') {
      this.matches = null;
    } else {
      this.matches = Uint8Array.from(this.model.shapes, (shape) => Number(shape.name.toLowerCase().includes(wanted)));
    }
    this.schedule();
  }

  // Selects the first slice with one of these shapes, in any row of a process.
  selectFirst(isWanted) {
    const wanted = this.model.shapes.map(isWanted);
    let first = null;
    for (const {row} of this.items) {
      if (row === undefined || row.role === 'idle' || row.role === 'submissions') continue;
      const i = row.what.findIndex((what) => wanted[what]);
      if (i >= 0 && (first === null || row.start[i] < first.row.start[first.i])) first = {row, i};
    }
    if (first !== null) this.select(first, true);
  }

  // Selects the next slice that matches the filter, in any row; without a filter, in the row of the
  // selection.
  step(direction) {
    const rows =
      this.matches === null
        ? this.selected
          ? [this.selected.row]
          : []
        : this.items.filter((item) => item.row !== undefined && item.row.role !== 'idle').map((item) => item.row);
    const order = new Map(rows.map((row, n) => [row, n]));
    const now = this.selected;
    const time = now ? now.row.start[now.i] : direction > 0 ? this.from : this.to;
    const rank = now && order.has(now.row) ? order.get(now.row) : direction > 0 ? -1 : rows.length;
    let best = null;
    const better = (row, i) => {
      if (best === null) return true;
      const by = (row.start[i] - best.row.start[best.i]) * direction;
      return by < 0 || (by === 0 && (order.get(row) - order.get(best.row)) * direction < 0);
    };
    for (const row of rows) {
      let i = firstStartingAt(row, time);
      if (direction < 0) while (i < row.length && row.start[i] === time) ++i;
      if (direction < 0) --i;
      for (; i >= 0 && i < row.length; i += direction) {
        const beyond = (row.start[i] - time) * direction;
        const isAfter =
          beyond > 0 || (beyond === 0 && (row === now?.row ? i - now.i : order.get(row) - rank) * direction > 0);
        if (isAfter && (this.matches === null || this.matches[row.what[i]] !== 0)) break;
      }
      if (i >= 0 && i < row.length && better(row, i)) best = {row, i};
    }
    if (best !== null) this.select(best, true);
    return best !== null;
  }

  // --- mouse, fingers and keys

  listen() {
    const canvas = this.canvas;
    const pointers = new Map();
    let drag = null;
    const local = (event) => {
      const box = canvas.getBoundingClientRect();
      return {x: event.clientX - box.left, y: event.clientY - box.top};
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, local(event));
      drag = {
        start: local(event),
        from: this.from,
        to: this.to,
        moved: false,
        band: event.shiftKey,
        top: this.scroller.scrollTop,
        pinch: null,
      };
      hideTip();
    });
    canvas.addEventListener('pointermove', (event) => {
      const point = local(event);
      if (!pointers.has(event.pointerId)) {
        const slice = this.hit(point.x, point.y);
        this.hover(slice);
        showTip(this, slice, event);
        return;
      }
      pointers.set(event.pointerId, point);
      this.drag(drag, [...pointers.values()]);
    });
    const end = (event) => {
      if (!pointers.delete(event.pointerId) || drag === null || pointers.size > 0) return;
      canvas.classList.remove('dragging');
      if (this.band !== null) {
        if (this.band.to > this.band.from) this.show(this.band.from, this.band.to);
        this.band = null;
        this.schedule();
      } else if (!drag.moved) {
        const point = local(event);
        this.select(this.hit(point.x, point.y));
      }
      drag = null;
    };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
    canvas.addEventListener('pointerleave', () => {
      this.hover(null);
      hideTip();
    });
    canvas.addEventListener('dblclick', (event) => this.zoom(0.4, this.timeAt(local(event).x)));
    canvas.addEventListener(
      'wheel',
      (event) => {
        if (event.ctrlKey || event.metaKey) {
          event.preventDefault();
          this.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 200))), this.timeAt(local(event).x));
        } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
          event.preventDefault();
          this.pan((event.deltaX || event.deltaY) / 1000);
        }
      },
      {passive: false},
    );
    this.scroller.addEventListener('scroll', () => this.schedule());
    this.listenOverview();
    document.addEventListener('keydown', (event) => this.key(event));
  }

  drag(drag, points) {
    const view = this.place();
    if (points.length === 2) {
      const apart = Math.max(10, Math.abs(points[0].x - points[1].x));
      const middle = this.timeAt((points[0].x + points[1].x) / 2);
      if (drag.pinch !== null) this.zoom(drag.pinch / apart, middle);
      drag.pinch = apart;
      drag.moved = true;
      return;
    }
    const by = points[0].x - drag.start.x;
    if (!drag.moved && Math.hypot(by, points[0].y - drag.start.y) < 4) return;
    drag.moved = true;
    this.canvas.classList.add('dragging');
    if (drag.band) {
      const a = this.timeAt(drag.start.x),
        b = this.timeAt(points[0].x);
      this.band = {from: Math.max(0, Math.min(a, b)), to: Math.min(this.end, Math.max(a, b))};
      this.schedule();
      return;
    }
    if (drag.pinch !== null) return;
    const shift = Math.max(-drag.from, Math.min(this.end - drag.to, (-by / view.width) * (drag.to - drag.from)));
    this.scroller.scrollTop = drag.top - (points[0].y - drag.start.y);
    this.show(drag.from + shift, drag.to + shift);
  }

  listenOverview() {
    const canvas = byId('overview');
    const move = (event) => {
      const box = canvas.getBoundingClientRect();
      const middle = ((event.clientX - box.left) / box.width) * this.end;
      const half = (this.to - this.from) / 2;
      const at = Math.max(half, Math.min(this.end - half, middle));
      this.show(at - half, at + half);
    };
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      move(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (event.buttons === 1) move(event);
    });
  }

  key(event) {
    const typing = event.target.closest('input, textarea, select');
    if (event.key === 'Escape') {
      byId('filter').value = '';
      byId('filter').dispatchEvent(new Event('input'));
      this.select(null);
      if (typing) event.target.blur();
      return;
    }
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = this.scroller === event.target;
    const actions = {
      a: () => this.pan(-0.2),
      arrowleft: () => this.pan(-0.2),
      d: () => this.pan(0.2),
      arrowright: () => this.pan(0.2),
      w: () => this.zoom(0.6),
      '+': () => this.zoom(0.6),
      '=': () => this.zoom(0.6),
      s: () => this.zoom(1 / 0.6),
      '-': () => this.zoom(1 / 0.6),
      0: () => this.show(0, this.end),
      home: rows ? () => this.show(0, this.end) : undefined,
      '/': () => byId('filter').focus(),
      '[': () => this.step(-1),
      ']': () => this.step(1),
      f: () => this.selected && this.zoomTo(this.selected),
      l: () => this.follow(),
    };
    const action = actions[event.key.toLowerCase()];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }
}
