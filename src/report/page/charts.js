// SPDX-License-Identifier: MIT
// charts.js: charts of launch latency and of memory use.

const CHART_HEIGHT = 150;
const LATENCIES = [
  ['launch', 'From the call to the submission', 'HIP calls are not in this trace (--mode hip)'],
  ['queue', 'From the submission to the start (with the wait for what was before)', 'no submission was seen'],
  ['run', 'From the start to the end', 'no kernel is in this trace'],
];

// The value below which this share of all values lies; bars are [from, to, count].
function quantile(bars, share) {
  const all = bars.reduce((sum, bar) => sum + bar[2], 0);
  let left = share * all;
  for (const [from, to, count] of bars) {
    if (left <= count) return from + (to - from) * (left / count);
    left -= count;
  }
  return 0;
}

function drawBars(canvas, bars) {
  const width = canvas.clientWidth;
  const context = fitCanvas(canvas, width, CHART_HEIGHT);
  const low = Math.log2(Math.max(1, bars[0][0])),
    high = Math.log2(bars[bars.length - 1][1]);
  const most = Math.max(...bars.map((bar) => bar[2]));
  const bottom = CHART_HEIGHT - 18;
  const x = (value) => ((Math.log2(Math.max(1, value)) - low) / Math.max(0.1, high - low)) * width;
  context.fillStyle = Theme.value('accent');
  for (const [from, to, count] of bars) {
    const height = Math.max(1.5, (count / most) * (bottom - 4));
    context.fillRect(x(from), bottom - height, Math.max(1, x(to) - x(from) - 1), height);
  }
  context.fillStyle = Theme.value('soft');
  context.font = FONT;
  context.fillRect(0, bottom, width, 1);
  let free = -1;
  for (let power = Math.ceil(low / Math.log2(10)); power <= high / Math.log2(10); ++power) {
    const label = duration(10 ** power).replace(/\.0+ /, ' ');
    const at = Math.max(0, Math.min(x(10 ** power) - 16, width - 44));
    if (at < free) continue;
    context.fillRect(x(10 ** power), bottom, 1, 4);
    context.fillText(label, at, CHART_HEIGHT - 4);
    free = at + 52;
  }
}

function makeLatency(model, redraw) {
  for (const [key, title, nothing] of LATENCIES) {
    const bars = model.latency[key];
    if (bars.length === 0) {
      byId('latency-body').append(
        make('figure', {}, make('figcaption', {}, title), make('p', {class: 'note'}, nothing)),
      );
      continue;
    }
    const all = bars.reduce((sum, bar) => sum + bar[2], 0);
    const [median, p99] = [0.5, 0.99].map((share) => duration(quantile(bars, share)));
    const facts = `${plural(all, 'kernel')}, median ${median}, 99 % below ${p99}`;
    const canvas = make('canvas', {role: 'img', 'aria-label': `Histogram. ${title}: ${facts}`});
    byId('latency-body').append(
      make(
        'figure',
        {id: 'latency-' + key},
        make('figcaption', {}, title, make('br'), make('span', {class: 'note'}, facts)),
        canvas,
      ),
    );
    redraw.push(() => drawBars(canvas, bars));
  }
}

function drawSteps(canvas, series, end) {
  const width = canvas.clientWidth;
  const context = fitCanvas(canvas, width, CHART_HEIGHT);
  const bottom = CHART_HEIGHT - 4;
  const y = (bytes) => bottom - (bytes / Math.max(1, series.most)) * (bottom - 6);
  const x = (time) => (time / end) * width;
  context.beginPath();
  context.moveTo(0, bottom);
  let last = 0;
  for (let i = 0; i < series.points.length; i += 2) {
    context.lineTo(x(series.points[i]), y(last));
    last = series.points[i + 1];
    context.lineTo(x(series.points[i]), y(last));
  }
  context.lineTo(width, y(last));
  context.lineTo(width, bottom);
  context.fillStyle = Theme.value('accent');
  context.globalAlpha = 0.35;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = Theme.value('accent');
  context.stroke();
}

function makeMemory(model, redraw) {
  if (model.memory.length === 0) {
    byId('memory-body').append(
      make(
        'p',
        {class: 'note'},
        'No allocation is in this trace' +
          (model.advise_memory ? ': trace with --events kernels,copies,markers,hip,memory to see them.' : '.'),
      ),
    );
    return;
  }
  const processes = new Set(model.memory.map((series) => series.process));
  for (const series of model.memory) {
    const title = series.title + (processes.size > 1 ? `, process ${series.process}` : '');
    const facts = `at most ${bytesText(series.most)} allocated at once`;
    const canvas = make('canvas', {role: 'img', 'aria-label': `${title} over time: ${facts}`});
    byId('memory-body').append(
      make('figure', {}, make('figcaption', {}, title, make('br'), make('span', {class: 'note'}, facts)), canvas),
    );
    redraw.push(() => drawSteps(canvas, series, Math.max(1, model.elapsed)));
  }
}
