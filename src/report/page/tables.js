// SPDX-License-Identifier: MIT
// tables.js: tables that sort by a click on a column and show the rows that match the filter.

const ROWS_AT_FIRST = 15;

const text = (value) => value;
const TABLES = [
  {
    key: 'kernels',
    title: 'Kernels',
    one: 'kernel',
    sum: 2,
    columns: [
      ['kernel', text],
      ['calls', grouped],
      ['total', duration],
      ['average', duration],
      ['median', duration],
      ['min', duration],
      ['max', duration],
    ],
  },
  {
    key: 'calls',
    title: 'HIP calls',
    one: 'HIP call',
    sum: 3,
    columns: [
      ['call', text],
      ['calls', grouped],
      ['errors', grouped],
      ['total', duration],
      ['average', duration],
      ['median', duration],
      ['min', duration],
      ['max', duration],
    ],
  },
  {
    key: 'copies',
    title: 'Copies',
    one: 'kind of copy',
    many: 'kinds of copies',
    sum: 3,
    columns: [
      ['copy', text],
      ['copies', grouped],
      ['bytes', bytesText],
      ['total', duration],
      ['average', duration],
      ['min', duration],
      ['max', duration],
    ],
  },
  {
    key: 'ranges',
    title: 'Ranges and marks',
    one: 'range or mark',
    many: 'ranges and marks',
    sum: 3,
    columns: [
      ['range', text],
      ['ranges', grouped],
      ['marks', grouped],
      ['total', duration],
      ['average', duration],
      ['min', duration],
      ['max', duration],
    ],
  },
  {
    key: 'events',
    title: 'Other events',
    one: 'kind of event',
    many: 'kinds of events',
    sum: 3,
    columns: [
      ['event', text],
      ['events', grouped],
      ['bytes', bytesText],
      ['total', duration],
      ['average', duration],
      ['min', duration],
      ['max', duration],
    ],
  },
];

class SortedTable {
  // `total`: the time of all rows, of which the page has at most `most`. `choose`: called with the name of a clicked row.
  constructor(description, rows, total, most, choose) {
    this.description = description;
    this.rows = rows;
    this.all = total;
    this.choose = choose;
    this.by = description.sum;
    this.up = false;
    this.limit = ROWS_AT_FIRST;
    this.wanted = '';
    this.heads = description.columns.map(([title], column) =>
      make(
        'th',
        {scope: 'col', class: column === 0 ? 'name' : ''},
        make('button', {type: 'button', onclick: () => this.sortBy(column)}, title),
      ),
    );
    this.share = make('th', {scope: 'col'}, '%');
    this.heads.splice(description.sum + 1, 0, this.share);
    this.body = make('tbody');
    this.more = make('button', {
      type: 'button',
      onclick: () => {
        this.limit = this.limit === Infinity ? ROWS_AT_FIRST : Infinity;
        this.fill();
      },
    });
    this.count = make('span', {class: 'note'});
    const id = description.key + '-title';
    this.element = make(
      'section',
      {id: description.key, 'aria-labelledby': id},
      make('h2', {id}, description.title),
      make(
        'div',
        {class: 'table', tabindex: '0', role: 'region', 'aria-labelledby': id},
        make('table', {}, make('thead', {}, make('tr', {}, ...this.heads)), this.body),
      ),
      make('p', {class: 'more'}, this.more, ' ', this.count),
      rows.length >= most ? make('p', {class: 'note'}, `Only the first ${grouped(most)} are on this page.`) : undefined,
    );
    this.fill();
  }

  sortBy(column) {
    this.up = this.by === column ? !this.up : column === 0;
    this.by = column;
    this.fill();
  }

  filter(wanted) {
    this.wanted = wanted.trim().toLowerCase();
    this.fill();
  }

  fill() {
    const {columns, sum, one, many} = this.description;
    const rows = this.rows.filter((row) => row[0].toLowerCase().includes(this.wanted));
    const sign = this.up ? 1 : -1;
    rows.sort((a, b) => sign * (this.by === 0 ? (a[0] < b[0] ? -1 : Number(a[0] > b[0])) : a[this.by] - b[this.by]));
    const heads = this.heads.filter((head) => head !== this.share);
    heads.forEach((head, column) => {
      if (column === this.by) head.setAttribute('aria-sort', this.up ? 'ascending' : 'descending');
      else head.removeAttribute('aria-sort');
      head.firstChild.textContent = columns[column][0] + (column === this.by ? (this.up ? ' ▲' : ' ▼') : '');
    });
    this.body.replaceChildren(
      ...rows.slice(0, this.limit).map((row) => {
        const cells = columns.map(([, show], column) =>
          column === 0
            ? make(
                'td',
                {class: 'name'},
                make(
                  'button',
                  {type: 'button', title: 'Show in the timeline', onclick: () => this.choose(row[0])},
                  row[0],
                ),
              )
            : make('td', {}, show(row[column])),
        );
        cells.splice(sum + 1, 0, make('td', {}, percent(row[sum], this.all).slice(0, -2)));
        return make('tr', {}, ...cells);
      }),
    );
    const shown = Math.min(rows.length, this.limit);
    this.more.hidden = rows.length <= ROWS_AT_FIRST;
    this.more.textContent = this.limit === Infinity ? `Show ${ROWS_AT_FIRST}` : `Show all ${grouped(rows.length)}`;
    const names =
      this.rows.length === 1 || many === undefined
        ? plural(this.rows.length, one)
        : `${grouped(this.rows.length)} ${many}`;
    this.count.textContent = shown < this.rows.length ? `${grouped(shown)} of ${names}` : names;
  }
}

function makeTables(model, choose) {
  const tables = [];
  for (const description of TABLES) {
    const rows = model[description.key];
    if (rows.length === 0) continue;
    const table = new SortedTable(description, rows, model[description.key + '_total'], model.most_rows, choose);
    tables.push(table);
    byId('tables').append(table.element);
  }
  return tables;
}
