// SPDX-License-Identifier: MIT
// base.js: readable numbers, elements, colours.
'use strict';

const byId = (id) => document.getElementById(id);

// A longer text is cut in view; the title of its element has it whole.
const LONG_TEXT = 300;

// An element; `more` are its attributes ("on…" are listeners), and children are elements or text.
function make(tag, more = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(more)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== undefined) element.setAttribute(key, value);
  }
  for (const child of children) {
    if (child === undefined) continue;
    const isLong = typeof child === 'string' && child.length > LONG_TEXT;
    if (isLong) element.title = child;
    element.append(isLong ? cutInTheMiddle(child) : child);
  }
  return element;
}

function cutInTheMiddle(text) {
  const part = Math.floor(LONG_TEXT / 2);
  return `${text.slice(0, part)} …(${grouped(text.length)} characters)… ${text.slice(-part)}`;
}

function grouped(value) {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

function plural(count, one) {
  return grouped(count) + ' ' + one + (count === 1 ? '' : 's');
}

// "843 ns", "12.30 us", "4.56 ms", "1.234 s", in rtl's format.
function duration(ns) {
  if (ns < 1000) return Math.round(ns) + ' ns';
  if (ns < 1e6) return (ns / 1e3).toFixed(2) + ' us';
  if (ns < 1e9) return (ns / 1e6).toFixed(2) + ' ms';
  return (ns / 1e9).toFixed(3) + ' s';
}

function percent(part, whole) {
  return (whole > 0 ? (100 * part) / whole : 0).toFixed(1) + ' %';
}

function bytesText(bytes) {
  for (const [unit, size] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['KB', 1e3],
  ]) {
    if (bytes >= size) return (bytes / size).toFixed(2) + ' ' + unit;
  }
  return bytes + ' B';
}

// The unit for moments up to this one: its nanoseconds and its name.
function unitFor(ns) {
  return ns >= 5e9 ? [1e9, 's'] : ns >= 5e6 ? [1e6, 'ms'] : [1e3, 'us'];
}

// A moment with the digits that a view of this width needs, in the unit of another, later moment.
function moment(ns, width, last = ns) {
  const [size, unit] = unitFor(last);
  const digits = Math.max(0, Math.min(9, Math.ceil(Math.log10(size / Math.max(1, width)) + 2)));
  return (ns / size).toFixed(digits) + ' ' + unit;
}

function hashOf(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; ++i) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

const Theme = {
  choices: ['automatic', 'light', 'dark'],
  choice: 'automatic',
  system: window.matchMedia('(prefers-color-scheme: dark)'),
  changed: [], // functions to call
  isDark() {
    return this.choice === 'dark' || (this.choice === 'automatic' && this.system.matches);
  },
  apply() {
    document.documentElement.dataset.theme = this.isDark() ? 'dark' : 'light';
    byId('theme').textContent = 'Theme: ' + this.choice;
    for (const call of this.changed) call();
  },
  start() {
    try {
      this.choice = localStorage.getItem('rtl-theme') || this.choice;
    } catch (e) {
      /* files may have none */
    }
    if (!this.choices.includes(this.choice)) this.choice = 'automatic';
    byId('theme').addEventListener('click', () => {
      this.choice = this.choices[(this.choices.indexOf(this.choice) + 1) % this.choices.length];
      try {
        localStorage.setItem('rtl-theme', this.choice);
      } catch (e) {
        /* as above */
      }
      this.apply();
    });
    this.system.addEventListener('change', () => this.apply());
    this.apply();
  },
  value(name) {
    return getComputedStyle(document.documentElement)
      .getPropertyValue('--' + name)
      .trim();
  },
};

// Colours of the causes of idle time, in the order of analysis::IdleCause, distinct for
// colour-blind readers.
const CAUSE_COLOURS = ['#e69f00', '#d55e00', '#cc79a7', '#c9b800', '#9a6bd1', '#0072b2', '#56b4e9', '#00a3a3', '#5b7fb5', '#8a939e', '#b8a48c'];

// What a frame of the flame graph is, in the order of exporting::GpuStacks::Kind.
const FrameKind = {root: 0, function: 1, module: 2, operator: 3, kernel: 4};
const FRAME_NAMES = ['', 'Python function', 'module', 'operator or range', 'kernel'];

// Kinds differ by their range of hues, names within it.
function frameColour(kind, hue, dark) {
  if (kind === FrameKind.root) return dark ? '#3a424c' : '#d3d9e0';
  if (kind === FrameKind.kernel) return dark ? `hsl(${hue} 45% 38%)` : `hsl(${hue} 62% 74%)`;
  const first = [0, 205, 265, 95][kind];
  return dark ? `hsl(${first + hue / 10} 32% 35%)` : `hsl(${first + hue / 10} 52% 80%)`;
}
