// What Mantine's components look like: fonts, sizes and colours. Our own colours stand in theme.css, which is there before any
// script. Text colours keep 4.5:1 on their grounds in both schemes.
import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import { statuses } from '#contract/service-api/vocabulary.ts';

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

const coloredLabels = new Set([...statuses, 'clear'].map((label) => label.replaceAll(' ', '-')));

/** The name of a label's colours; a word that nobody knows looks like `unknown`. */
export function weatherColor(label: string): string {
  const name = label.replaceAll(' ', '-');
  return coloredLabels.has(name) ? name : 'unknown';
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6370',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-rain-light': '#e7ecff',
    '--mantine-color-rain-light-hover': '#dbe4ff',
    '--mantine-color-rain-light-color': '#2f49b8',
    '--mantine-color-placeholder': '#6a7280',
    '--mantine-color-text': '#1a1e26',
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
  },
});
