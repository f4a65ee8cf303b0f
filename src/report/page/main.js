// SPDX-License-Identifier: MIT
// main.js: fills the page.

const LEAST_SHARE = 0.05; // of the time; a smaller share is no finding, as in rtl analyze

function factsOf(row, i, shape) {
  const facts = [KIND_NAMES[shape.kind], `from ${moment(row.start[i], row.end[i] - row.start[i] + 1000)}`];
  const length = row.end[i] - row.start[i];
  const count = row.countOf(i);
  if (count > 1) {
    facts.push(`${grouped(count)} in ${duration(length)}, busy ${percent(row.busyOf(i), length)}`);
    facts.push('drawn as one; the name is that of most of the time');
    return facts;
  }
  if (shape.kind !== Kind.mark && shape.kind !== Kind.submit) facts.push(`took ${duration(length)}`);
  if (row.wait !== null && row.wait[i] > 0) facts.push(`submitted ${duration(row.wait[i])} before`);
  if (shape.bytes > 0) {
    const rate = shape.kind === Kind.copy && length > 0 ? ` (${(shape.bytes / length).toFixed(2)} GB/s)` : '';
    facts.push(bytesText(shape.bytes) + rate);
  }
  if (shape.inputs !== '') facts.push(`inputs ${shape.inputs}`);
  if (shape.grid[0] > 0) facts.push(`grid ${shape.grid.join(' × ')}, workgroup ${shape.workgroup.join(' × ')}`);
  if (shape.lds > 0) facts.push(`LDS ${bytesText(shape.lds)}`);
  if (shape.scratch > 0) facts.push(`scratch ${bytesText(shape.scratch)} per work-item`);
  return facts;
}

function showTip(timeline, slice, event) {
  if (slice === null) return hideTip();
  const shape = timeline.model.shapes[slice.row.what[slice.i]];
  showTextTip(shape.title, factsOf(slice.row, slice.i, shape), event);
}

function showTextTip(title, facts, event) {
  const tip = byId('tip');
  tip.replaceChildren(make('b', {}, title), make('br'), facts.join(' · '));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 8)) + 'px';
  tip.style.top =
    (event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 8 : event.clientY + 18) + 'px';
}

function hideTip() {
  byId('tip').hidden = true;
}

// A link to its call, or to its work.
function linkOf(timeline, slice) {
  const {arrows} = timeline;
  if (arrows.length === 0) return [];
  const {shapes} = timeline.model;
  const {from, to} = arrows[0];
  const isWork = slice.row === to.row && slice.i === to.i;
  const other = isWork ? from : to;
  const name = shapes[other.row.what[other.i]].title;
  const {submit, begin} = Links.times(to.row, to.i);
  const lead = submit > begin ? `, which took ${duration(submit - begin)} to submit it` : '';
  const more = arrows.length > 1 ? ` and ${grouped(arrows.length - 1)} more` : '';
  const most = arrows.length === MOST_ARROWS ? 'at least ' : '';
  const text = isWork ? `from ${name}${lead}` : `to ${most}${name}${more}`;
  const button = make('button', {type: 'button', id: 'follow', onclick: () => timeline.follow()}, 'Follow the arrow');
  return [make('span', {}, text), button, ' '];
}

function showDetails(timeline, slice) {
  const panel = byId('details');
  if (slice === null) {
    panel.replaceChildren(make('span', {class: 'note'}, 'Click a slice to see what it is.'));
    return;
  }
  const shape = timeline.model.shapes[slice.row.what[slice.i]];
  const same = make('button', {type: 'button', onclick: () => filterFor(shape.name)}, 'Filter for this name');
  panel.replaceChildren(
    make('div', {}, make('b', {}, shape.name)),
    make(
      'div',
      {class: 'facts'},
      ...factsOf(slice.row, slice.i, shape).map((fact) => make('span', {}, fact)),
      ...linkOf(timeline, slice),
      make('button', {type: 'button', onclick: () => timeline.zoomTo(slice)}, 'Zoom to it'),
      ' ',
      shape.kind === Kind.idle ? '' : same,
    ),
  );
}

function filterFor(name) {
  const field = byId('filter');
  field.value = name;
  field.dispatchEvent(new Event('input'));
}

// --- the verdict

function causeText(model, cause) {
  const name = model.causes[cause.cause];
  if (cause.where === '') return name;
  return cause.cause === 0 ? `${name} in range "${cause.where}"` : `${name}, ${cause.where}`;
}

function finding(model, gpu, cause, timeline) {
  const show = () => {
    timeline.show(cause.at - cause.longest / 2, cause.at + cause.longest * 1.5);
    const row = model.rows.find((each) => each.role === 'idle' && each.title === `GPU ${gpu.gpu}`);
    if (row) timeline.select({row, i: Math.min(row.length - 1, firstEndingAfter(row, cause.at))});
    byId('timeline').scrollIntoView();
  };
  return make(
    'div',
    {class: 'finding'},
    make('span', {class: 'swatch', style: `background:${CAUSE_COLOURS[cause.cause]}`}),
    make('span', {class: 'cost'}, `${duration(cause.idle)} (${percent(cause.idle, gpu.elapsed)})`),
    make(
      'span',
      {},
      make('b', {}, causeText(model, cause)),
      `, ${plural(cause.gaps, 'gap')}. `,
      make('span', {class: 'advice'}, cause.advice),
    ),
    make('button', {type: 'button', onclick: show}, 'Show the longest'),
  );
}

// The findings besides the causes of idle time: of a GPU, or, for gpu -1, of ranks.
function findings(model, gpu, timeline) {
  return model.findings
    .filter((each) => each.gpu === gpu)
    .map((each) => {
      const show = () => {
        filterFor(each.where);
        timeline.selectFirst((shape) => (each.where === '' ? shape.kind === Kind.copy : shape.name === each.where));
        byId('timeline').scrollIntoView();
      };
      return make(
        'div',
        {class: 'finding'},
        make('span', {class: 'swatch', style: 'background:var(--accent)'}),
        make('span', {class: 'cost'}, `${duration(each.cost)} (${percent(each.cost, each.during)})`),
        make('span', {}, make('b', {}, each.text), '. ', make('span', {class: 'advice'}, each.advice)),
        make('button', {type: 'button', onclick: show}, 'Show the first'),
      );
    });
}

function share(gpu) {
  const parts = [
    ['kernels', 'var(--kernels)', gpu.kernels],
    ['copies', 'var(--copies)', gpu.copies],
    ['both', 'var(--both)', gpu.both],
  ];
  for (const cause of gpu.causes.slice(0, 50)) parts.push(['idle', CAUSE_COLOURS[cause.cause], cause.idle]);
  const bar = make('div', {
    class: 'share',
    role: 'img',
    'aria-label': `Busy ${percent(gpu.elapsed - gpu.idle, gpu.elapsed)}, idle ${percent(gpu.idle, gpu.elapsed)}`,
  });
  for (const [title, colour, time] of parts) {
    bar.append(
      make('i', {
        title: `${title} ${duration(time)}`,
        style: `width:${(100 * time) / Math.max(1, gpu.elapsed)}%;background:${colour}`,
      }),
    );
  }
  return bar;
}

function makeVerdict(model, timeline) {
  const body = byId('verdict-body');
  if (model.gpus.length === 0) body.append(make('p', {}, 'No kernel and no copy is in this trace.'));
  for (const gpu of model.gpus) {
    const name = model.gpu_names[gpu.gpu];
    const busy = gpu.elapsed - gpu.idle;
    const worst = gpu.causes.filter((cause) => cause.idle >= LEAST_SHARE * gpu.elapsed);
    const others = gpu.causes.filter((cause) => !worst.includes(cause));
    body.append(
      make(
        'div',
        {class: 'gpu'},
        make(
          'p',
          {},
          make('b', {}, `GPU ${gpu.gpu}${name ? ` (${name})` : ''}`),
          ` was busy ${percent(busy, gpu.elapsed)} of ${duration(gpu.elapsed)}: ` +
            ['kernels', 'copies', 'both'].map((what) => `${what} ${percent(gpu[what], gpu.elapsed)}`).join(', ') +
            '. ' +
            `It was idle for ${duration(gpu.idle)} in ${plural(gpu.gaps, 'gap')}.`,
        ),
        gpu.start === 0
          ? undefined
          : make(
              'p',
              {},
              `Before that, ${duration(gpu.start)} passed since the program began` +
                (gpu.start_where === '' ? '.' : `, most of it in ${gpu.start_where}.`),
            ),
        share(gpu),
        ...worst.map((cause) => finding(model, gpu, cause, timeline)),
        ...findings(model, gpu.gpu, timeline),
        worst.length === 0 ? make('p', {}, `No cause of idle time reaches ${percent(LEAST_SHARE, 1)}.`) : undefined,
        others.length === 0
          ? undefined
          : make(
              'details',
              {},
              make('summary', {}, plural(others.length, worst.length === 0 ? 'cause' : 'more cause')),
              ...others.slice(0, 50).map((cause) => finding(model, gpu, cause, timeline)),
            ),
      ),
    );
  }
  body.append(...findings(model, -1, timeline));
  if (!model.has_calls && model.gpus.length > 0) {
    body.append(make('p', {class: 'note'}, `What the host did is not known without HIP calls${model.advise_calls ? ': trace with --mode hip' : ''}.`));
  }
  if (model.selection !== '') {
    body.prepend(make('p', {class: 'warning'}, `Only ${model.selection}. Completeness is that of the whole trace.`));
  }
  const legend = [['var(--busy)', 'busy'], ...model.causes.map((name, i) => [CAUSE_COLOURS[i], name])];
  body.append(
    make(
      'div',
      {class: 'legend'},
      ...legend.map(([colour, name]) =>
        make('span', {}, make('span', {class: 'swatch', style: `background:${colour}`}), name),
      ),
    ),
  );
}

// --- what is missing

function makeCompleteness(model) {
  const head = ['events', 'submitted', 'recorded', 'left out on purpose', 'lost', 'reasons'];
  const rows = model.completeness.map((line) =>
    make(
      'tr',
      {},
      make('th', {scope: 'row', class: 'name'}, line.kind.replace(/_/g, ' ')),
      ...[line.submitted, line.recorded, line.left_out, line.lost].map((count) => make('td', {}, grouped(count))),
      make(
        'td',
        {class: 'name'},
        [...line.losses.map(([, why, count]) => `${grouped(count)}: ${why}`), line.not_counted]
          .filter((each) => each !== '')
          .join('; '),
      ),
    ),
  );
  byId('completeness-body').append(
    make(
      'div',
      {class: 'table', tabindex: '0', role: 'region', 'aria-labelledby': 'completeness-title'},
      make(
        'table',
        {},
        make(
          'thead',
          {},
          make(
            'tr',
            {},
            ...head.map((title, i) => make('th', {scope: 'col', class: i === 0 || i === 5 ? 'name' : ''}, title)),
          ),
        ),
        make('tbody', {}, ...rows),
      ),
    ),
  );
  const lost = model.completeness.filter((line) => line.lost > 0);
  if (lost.length === 0) return;
  const what = lost
    .map((line) => `${grouped(line.lost)} of ${grouped(line.submitted)} ${line.kind.replace(/_/g, ' ')}`)
    .join(', ');
  byId('verdict-body').prepend(make('p', {class: 'warning'}, `Lost: ${what}. `, make('a', {href: '#completeness'}, 'Why')));
}

function tellMerged(model) {
  const [gpu, host, idle, operators] = model.resolutions;
  const told = [
    ['Kernels, copies and barriers', gpu],
    ['Calls and ranges', host],
    ['Gaps', idle],
    ['Operators and Python functions', operators],
  ].filter(([, resolution]) => resolution > 0);
  const texts = told.map(
    ([what, resolution]) => `${what} that are together shorter than ${duration(resolution)} are drawn as one block.`,
  );
  if (model.names_full)
    texts.push('There are more names, sizes or shapes than this page holds: some slices have none.');
  const submissions = model.rows.some((row) => row.role === 'submissions')
    ? ' Submissions within 20 us are drawn as one.'
    : '';
  byId('merged').textContent =
    texts.length === 0
      ? 'Every slice of the trace is in this timeline.' + submissions
      : 'To bound the size of this page: ' + texts.join(' ') + ' Tables and verdict count everything.';
}

function makeHeader(model) {
  document.title = `${model.file}: rtl report`;
  byId('file').textContent = model.file;
  const program = model.programs[0];
  const more =
    model.programs.length > 1
      ? ` and ${plural(model.programs.length - 1, 'more process').replace('processs', 'processes')}`
      : '';
  const about = [
    program && program.command + more,
    duration(model.elapsed),
    program?.mode && `mode ${program.mode}`,
    program?.host,
  ]
    .filter(Boolean)
    .join(' · ');
  byId('about').textContent = about;
  byId('about').title = about;
  for (const section of document.querySelectorAll('main section[id]')) {
    byId('sections').append(make('a', {href: '#' + section.id}, section.querySelector('h2').textContent));
  }
}

function bindControls(timeline, tables) {
  const filter = byId('filter');
  const step = (direction) => timeline.step(direction);
  filter.addEventListener('input', () => {
    timeline.setFilter(filter.value);
    for (const table of tables) table.filter(filter.value);
  });
  filter.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
  });
  byId('previous').addEventListener('click', () => step(-1));
  byId('next').addEventListener('click', () => step(1));
  byId('zoom-in').addEventListener('click', () => timeline.zoom(0.5));
  byId('zoom-out').addEventListener('click', () => timeline.zoom(2));
  byId('whole').addEventListener('click', () => timeline.show(0, timeline.end));
  byId('help-button').addEventListener('click', () => {
    byId('help').hidden = !byId('help').hidden;
    byId('help-button').setAttribute('aria-expanded', String(!byId('help').hidden));
  });
}

async function main() {
  Theme.start();
  const model = await readModel();
  const redraw = [];
  const choose = (name) => {
    filterFor(name);
    byId('timeline').scrollIntoView();
  };
  const tables = makeTables(model, choose);
  makeLatency(model, redraw);
  makeMemory(model, redraw);
  const flame = makeFlame(model, redraw);
  makeHeader(model);
  const timeline = new Timeline(model);
  if (model.selection !== '') timeline.showWork();
  makeVerdict(model, timeline);
  makeCompleteness(model);
  tellMerged(model);
  showDetails(timeline, null);
  bindControls(timeline, flame === null ? tables : [...tables, flame]);
  const drawAll = () => {
    for (const draw of redraw) draw();
  };
  Theme.changed.push(drawAll);
  new ResizeObserver(drawAll).observe(byId('latency-body'));
  drawAll();
  // For the console, and for scripts that wait until everything is drawn.
  window.rtlReport = {model, timeline};
  requestAnimationFrame(() => {
    document.documentElement.dataset.opened = Math.round(performance.now());
  });
}

main().catch((error) => {
  byId('verdict-body').replaceChildren(
    make(
      'p',
      {class: 'warning'},
      `This page could not be shown: ${error.message}. It needs a browser of 2023 or later.`,
    ),
  );
  throw error;
});
