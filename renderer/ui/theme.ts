// The look in one file: fonts, sizes, colours for light and dark, and the colours of the weather. Text colours keep 4.5:1
// on their grounds in both schemes.
import { createTheme, type CSSVariablesResolver } from '@mantine/core';

const sans = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const mono = "'JetBrains Mono Variable', ui-monospace, 'SF Mono', Menlo, Consolas, monospace";

export const theme = createTheme({
  primaryColor: 'rain',
  primaryShade: 7,
  colors: {
    rain: [
      '#edf2ff',
      '#dbe4ff',
      '#bac8ff',
      '#91a7ff',
      '#748ffc',
      '#5c7cfa',
      '#4c6ef5',
      '#4263eb',
      '#3b5bdb',
      '#364fc7',
    ],
    dark: [
      '#d5d9e2',
      '#b6bcc9',
      '#9aa1b0',
      '#6b7383',
      '#434a5a',
      '#323846',
      '#272c37',
      '#1d212a',
      '#171a21',
      '#111319',
    ],
  },
  fontFamily: sans,
  fontFamilyMonospace: mono,
  headings: { fontFamily: sans, fontWeight: '650' },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
});

/** Ground colours of the status words, and the colours of words on them. */
const weather = {
  light: {
    sunny: ['#ffd43b', '#3d2f00'],
    clear: ['#3f4f75', '#ffffff'],
    'partly-cloudy': ['#d3e0f0', '#1f2a3a'],
    cloudy: ['#b4bcc8', '#1b212b'],
    foggy: ['#dfe3e8', '#2c333d'],
    windy: ['#a5ecd7', '#08382b'],
    rainy: ['#2b73d3', '#ffffff'],
    'snow-flurries': ['#c9f1fa', '#0b3a47'],
    snowy: ['#8fdcee', '#06323d'],
    hailing: ['#a88bf5', '#1d0b4d'],
    stormy: ['#6b3fe0', '#ffffff'],
    unknown: ['#f1f3f5', '#4a515b'],
  },
  dark: {
    sunny: ['#e9bf36', '#2c2100'],
    clear: ['#33415f', '#e8edf7'],
    'partly-cloudy': ['#9fb2c9', '#10161f'],
    cloudy: ['#7f8896', '#0d1015'],
    foggy: ['#b9bfc8', '#171b21'],
    windy: ['#6fcab0', '#04231b'],
    rainy: ['#2f7be0', '#ffffff'],
    'snow-flurries': ['#a3d5e2', '#07262f'],
    snowy: ['#74c3d6', '#04222a'],
    hailing: ['#9273ea', '#ffffff'],
    stormy: ['#7148e6', '#ffffff'],
    unknown: ['#2b303b', '#b6bcc9'],
  },
} as const;

function weatherVariables(scheme: 'light' | 'dark'): Record<string, string> {
  return Object.fromEntries(
    Object.entries(weather[scheme]).flatMap(([name, [ground, words]]) => [
      [`--rb-weather-${name}`, ground],
      [`--rb-weather-${name}-words`, words],
    ]),
  );
}

/** The name of a label's colours; a word that nobody knows looks like `unknown`. */
export function weatherColor(label: string): string {
  const name = label.replaceAll(' ', '-');
  return name in weather.light ? name : 'unknown';
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--rb-radius': '10px',
    '--rb-gap': '16px',
    '--rb-header-height': '56px',
  },
  light: {
    '--mantine-color-dimmed': '#5b6370',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-rain-light': '#e7ecff',
    '--mantine-color-rain-light-hover': '#dbe4ff',
    '--mantine-color-rain-light-color': '#2f49b8',
    '--mantine-color-placeholder': '#6a7280',
    '--mantine-color-text': '#1a1e26',
    '--rb-page': '#f7f8fa',
    '--rb-surface': '#ffffff',
    '--rb-sunken': '#f4f5f8',
    '--rb-line': '#e2e5ea',
    '--rb-line-strong': '#ccd1d9',
    '--rb-accent': '#3b5bdb',
    '--rb-accent-soft': '#e7ecff',
    '--rb-accent-words': '#2f49b8',
    '--rb-good': '#2b8a3e',
    '--rb-good-soft': '#dff5e3',
    '--rb-good-words': '#1d6b2e',
    '--rb-warn': '#d9750a',
    '--rb-warn-soft': '#ffefdb',
    '--rb-warn-words': '#8f4700',
    '--rb-bad': '#d92b2b',
    '--rb-bad-soft': '#ffe5e5',
    '--rb-bad-words': '#b01c1c',
    '--rb-sky-day': '#e3effc',
    '--rb-night': 'rgb(45 58 96 / 11%)',
    '--rb-sun': '#e59700',
    '--rb-sun-soft': '#fff0c2',
    '--rb-rain': '#2b73d3',
    '--rb-warmth': '#d9480f',
    '--rb-wind': '#0b7a6b',
    '--rb-map-sea': '#eaf2fb',
    '--rb-map-land': '#fbfaf6',
    '--rb-map-coast': '#a8b3c2',
    ...weatherVariables('light'),
  },
  dark: {
    '--mantine-color-body': '#171a21',
    '--mantine-color-dimmed': '#9aa3b2',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-rain-light': '#222e58',
    '--mantine-color-rain-light-hover': '#2a3869',
    '--mantine-color-rain-light-color': '#b4c3ff',
    '--mantine-color-placeholder': '#8a93a3',
    '--mantine-color-text': '#dfe3ea',
    '--rb-page': '#12151b',
    '--rb-surface': '#1a1e26',
    '--rb-sunken': '#14171e',
    '--rb-line': '#2a303b',
    '--rb-line-strong': '#3b4351',
    '--rb-accent': '#5c7cfa',
    '--rb-accent-soft': '#222e58',
    '--rb-accent-words': '#b4c3ff',
    '--rb-good': '#40c057',
    '--rb-good-soft': '#163822',
    '--rb-good-words': '#8ce09b',
    '--rb-warn': '#ff922b',
    '--rb-warn-soft': '#3f2a12',
    '--rb-warn-words': '#ffc078',
    '--rb-bad': '#ff6b6b',
    '--rb-bad-soft': '#431c20',
    '--rb-bad-words': '#ffa8a8',
    '--rb-sky-day': '#22344a',
    '--rb-night': 'rgb(0 0 0 / 38%)',
    '--rb-sun': '#e8b23a',
    '--rb-sun-soft': '#4d411f',
    '--rb-rain': '#4d94f0',
    '--rb-warmth': '#ff8f5e',
    '--rb-wind': '#4cc9b0',
    '--rb-map-sea': '#151c28',
    '--rb-map-land': '#2a303b',
    '--rb-map-coast': '#566172',
    ...weatherVariables('dark'),
  },
});
