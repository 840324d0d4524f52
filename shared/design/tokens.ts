// The design tokens: every size, color, and duration of the app's screens and the service's website. The app gets them as the
// stylesheet `designTokens` through renderer/ui/theme.css (vite.config.ts), the website through its own stylesheet. Use the
// CSS variables; test/renderer/ui/design-tokens.test.ts finds values that bypass them and measures the contrasts.

import { rowHeights } from './row-heights.ts';

/** Light and dark. Text has at least 4.5:1 contrast with its background; dots and lines with a meaning have 3:1. */
export const colors = {
  // Backgrounds: panes, the page around them, code and table heads, selected rows, and floating elements.
  surface: ['#ffffff', '#161a21'],
  page: ['#f6f7f9', '#0f1218'],
  sunken: ['#f3f4f7', '#11141a'],
  selection: ['#eef2ff', '#1d2644'],
  raised: ['#ffffff', '#212732'],
  /** The chosen one of a segmented control, on `mute-soft`. */
  chosen: ['#ffffff', '#465062'],

  text: ['#1a1e26', '#e3e7ee'],
  dim: ['#596170', '#a1aab9'],
  placeholder: ['#687080', '#8b94a4'],

  line: ['#e3e6eb', '#272d38'],
  'line-strong': ['#cdd2da', '#3c4452'],
  grid: ['#e8ebf0', '#232934'],
  /** The edge of a field or checkbox, which must be visible (3:1). */
  edge: ['#868e9c', '#687182'],

  /** Focus rings and edges; `accent-fill` is the background of primary buttons. */
  accent: ['#3b5bdb', '#7c97ff'],
  'accent-fill': ['#4263eb', '#4263eb'],
  'accent-fill-hover': ['#3b5bdb', '#3b5bdb'],
  'on-accent': ['#ffffff', '#ffffff'],
  'accent-soft': ['#e9eeff', '#222e58'],
  'accent-words': ['#2f49b8', '#b4c3ff'],

  // Without a suffix: dots and edges. Text colors are for the soft background and the surface.
  good: ['#2b8a3e', '#40c057'],
  'good-soft': ['#e2f6e6', '#163822'],
  'good-words': ['#1d6b2e', '#8ce09b'],
  warn: ['#d9750a', '#ff922b'],
  'warn-soft': ['#fff0dc', '#3f2a12'],
  'warn-words': ['#8a4500', '#ffc078'],
  bad: ['#d92b2b', '#ff6b6b'],
  'bad-soft': ['#ffe7e7', '#431c20'],
  'bad-words': ['#b01c1c', '#ffa8a8'],
  'bad-fill': ['#c92a2a', '#c92a2a'],
  mute: ['#687080', '#8b94a4'],
  'mute-soft': ['#edeff3', '#262c37'],
  'mute-words': ['#4b5361', '#b6bdca'],

  // JSON on the sunken background.
  'json-key': ['#2f49b8', '#a9bbff'],
  'json-string': ['#1d6b2e', '#8ce09b'],
  'json-number': ['#8a4500', '#ffc078'],
  'json-word': ['#b01c1c', '#ffa8a8'],

  // The chart.
  temperature: ['#c2410c', '#ff8f5e'],
  'dew-point': ['#8a6a52', '#c0a692'],
  wind: ['#0b7a6b', '#4cc9b0'],
  rain: ['#2b73d3', '#4d94f0'],
  'rain-sum': ['#1c4f9c', '#9cc5ff'],
  sun: ['#8a5a00', '#e8b23a'],
  'sun-soft': ['#fff0c2', '#4d411f'],
  'sky-day': ['#e3effc', '#22344a'],
  night: ['rgb(44 58 104 / 6.5%)', 'rgb(0 0 0 / 30%)'],
  'band-edge': ['rgb(20 28 54 / 16%)', 'rgb(255 255 255 / 14%)'],
  /** Diagonal and horizontal lines on a background: refused callbacks, rain, fog. */
  hatch: ['rgb(20 28 54 / 4.5%)', 'rgb(255 255 255 / 4.5%)'],
  'band-hatch': ['rgb(10 20 60 / 28%)', 'rgb(0 0 20 / 32%)'],

  // The status band: background and text.
  'weather-sunny': ['#ffd43b', '#e9bf36'],
  'weather-sunny-words': ['#3d2f00', '#2c2100'],
  'weather-clear': ['#3f4f75', '#33415f'],
  'weather-clear-words': ['#ffffff', '#e8edf7'],
  'weather-partly-cloudy': ['#d3e0f0', '#9fb2c9'],
  'weather-partly-cloudy-words': ['#1f2a3a', '#10161f'],
  'weather-cloudy': ['#b4bcc8', '#7f8896'],
  'weather-cloudy-words': ['#1b212b', '#0d1015'],
  'weather-foggy': ['#dfe3e8', '#b9bfc8'],
  'weather-foggy-words': ['#2c333d', '#171b21'],
  'weather-windy': ['#a5ecd7', '#6fcab0'],
  'weather-windy-words': ['#08382b', '#04231b'],
  'weather-rainy': ['#2b73d3', '#2467c9'],
  'weather-rainy-words': ['#ffffff', '#ffffff'],
  'weather-snow-flurries': ['#c9f1fa', '#a3d5e2'],
  'weather-snow-flurries-words': ['#0b3a47', '#07262f'],
  'weather-snowy': ['#8fdcee', '#74c3d6'],
  'weather-snowy-words': ['#06323d', '#04222a'],
  'weather-hailing': ['#a88bf5', '#9273ea'],
  'weather-hailing-words': ['#1d0b4d', '#15083a'],
  'weather-stormy': ['#6b3fe0', '#7148e6'],
  'weather-stormy-words': ['#ffffff', '#ffffff'],
  'weather-unknown': ['#f1f3f5', '#2b303b'],
  'weather-unknown-words': ['#4a515b', '#b6bcc9'],

  'map-sea': ['#eaf2fb', '#151c28'],
  'map-land': ['#fbfaf6', '#2a303b'],
  'map-coast': ['#a8b3c2', '#566172'],

  scrim: ['rgb(15 18 24 / 45%)', 'rgb(0 0 0 / 60%)'],
  'shadow-color': ['rgb(20 28 54 / 16%)', 'rgb(0 0 0 / 55%)'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>;

export type ColorName = keyof typeof colors;

/** Font sizes, in px of a text size of 16 px; with another one, everything but lines and shadows grows or shrinks with it. */
export const textSizes = [
  // Axis, column heads, chips, secondary text, code.
  12,
  // Body, controls, rows.
  14,
  // Titles of panes and groups, values of the now strip.
  16,
  // Page titles, dialogs.
  20,
  // The temperature now.
  44,
] as const;

export const spaces = [2, 4, 8, 12, 16, 24, 32] as const;
/** Chip; control; pane, card, and bubble. */
export const radii = [4, 6, 8] as const;

const sizes = {
  leading: '1.4',
  'leading-code': rem(19),
  'weight-regular': '400',
  'weight-medium': '500',
  'weight-strong': '600',
  sans: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  mono: "'JetBrains Mono Variable', ui-monospace, 'SF Mono', Menlo, Consolas, monospace",
  'radius-round': '999px',
  control: rem(28),
  'control-small': rem(24),
  'control-search': rem(30),
  // The frame.
  header: rem(44),
  toolbar: rem(44),
  'now-strip': rem(72),
  'status-bar': rem(26),
  rail: rem(80),
  sidebar: rem(196),
  'bottom-bar': rem(56),
  ...heightsOf('compact'),
  shadow: '0 8px 28px var(--rb-shadow-color), 0 1px 3px var(--rb-shadow-color)',
};

/** Larger targets and rows, if the user selects them. */
const comfortable = {
  control: rem(34),
  'control-small': rem(28),
  'control-search': rem(36),
  ...heightsOf('comfortable'),
};

/** Hover and tabs; panes and bulk bars; the background of a new row. */
const motions = { 'motion-quick': '120ms', 'motion-slow': '180ms', 'motion-fade': '1.2s' };

/** Users who prefer more contrast get solid lines and no dimmed text. */
const moreContrast: Partial<Record<ColorName, string>> = {
  dim: 'var(--rb-text)',
  placeholder: 'var(--rb-text)',
  'mute-words': 'var(--rb-text)',
  line: 'light-dark(#6b7383, #8b94a4)',
  'line-strong': 'light-dark(#4b5361, #b6bdca)',
  edge: 'light-dark(#4b5361, #b6bdca)',
  grid: 'light-dark(#cdd2da, #3c4452)',
};

/** With system colors (Windows contrast themes): only lines and text, and no meaning by color only. */
const systemColors: Partial<Record<ColorName, string>> = {
  line: 'CanvasText',
  'line-strong': 'CanvasText',
  edge: 'CanvasText',
  dim: 'CanvasText',
  placeholder: 'GrayText',
  accent: 'Highlight',
  'accent-fill': 'Highlight',
  'on-accent': 'HighlightText',
  'accent-words': 'LinkText',
  selection: 'Canvas',
  temperature: 'CanvasText',
  'dew-point': 'GrayText',
  wind: 'CanvasText',
  rain: 'Highlight',
  'rain-sum': 'LinkText',
};

function rem(px: number): string {
  return `${px / 16}rem`;
}

function heightsOf(density: keyof typeof rowHeights): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(rowHeights[density]).map(([name, height]) => [name, rem(height)]));
}

function declare(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `  --rb-${name}: ${value};\n`)
    .join('');
}

/** The tokens as CSS variables with the prefix `--rb-`. They follow `color-scheme`. */
export const designTokens = `:root {
${declare(Object.fromEntries(Object.entries(colors).map(([name, [light, dark]]) => [name, light === dark ? light : `light-dark(${light}, ${dark})`])))}${declare(
  Object.fromEntries([
    ...textSizes.map((size) => [`text-${size}`, rem(size)]),
    ...spaces.map((space) => [`space-${space}`, rem(space)]),
    ...radii.map((radius) => [`radius-${radius}`, rem(radius)]),
  ]),
)}${declare(sizes)}${declare(motions)}}
:root[data-density='comfortable'] {
${declare(comfortable)}}
@media (prefers-contrast: more) {
  :root {
${declare(moreContrast)}  }
}
@media (forced-colors: active) {
  :root {
${declare(systemColors)}  }
}
@media (prefers-reduced-motion: reduce) {
  :root {
${declare(Object.fromEntries(Object.keys(motions).map((name) => [name, '0s'])))}  }
}
`;
