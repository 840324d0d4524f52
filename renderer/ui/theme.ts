// Mantine's theme, made of the design tokens (shared/design/tokens.ts). Sizes of its components are in theme.css, which needs no
// script.
import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import { statuses } from '#contract/service-api/vocabulary.ts';

const steps = ['xs', 'sm', 'md', 'lg', 'xl'] as const;

/** Mantine's five steps as tokens, smallest first. */
function sizesOf(kind: string, sizes: readonly number[]): Record<string, string> {
  return Object.fromEntries(steps.map((step, index) => [step, `var(--rb-${kind}-${sizes[index]})`]));
}

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
  fontFamily: 'var(--rb-sans)',
  fontFamilyMonospace: 'var(--rb-mono)',
  headings: { fontFamily: 'var(--rb-sans)', fontWeight: '600' },
  fontSizes: sizesOf('text', [12, 13, 13, 15, 20]),
  lineHeights: sizesOf('leading', [12, 13, 13, 15, 20]),
  spacing: sizesOf('space', [8, 12, 16, 24, 32]),
  radius: sizesOf('radius', [4, 4, 6, 8, 8]),
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

// The same in both schemes, since the tokens follow the scheme.
const ours = {
  '--mantine-color-body': 'var(--rb-surface)',
  '--mantine-color-default': 'var(--rb-surface)',
  '--mantine-color-default-hover': 'var(--rb-sunken)',
  '--mantine-color-default-border': 'var(--rb-line-strong)',
  '--mantine-color-default-color': 'var(--rb-text)',
  '--mantine-color-dimmed': 'var(--rb-dim)',
  '--mantine-color-error': 'var(--rb-bad-words)',
  '--mantine-color-placeholder': 'var(--rb-placeholder)',
  '--mantine-color-text': 'var(--rb-text)',
  '--mantine-color-anchor': 'var(--rb-accent-words)',
  '--mantine-color-rain-filled': 'var(--rb-accent-fill)',
  '--mantine-color-rain-filled-hover': 'var(--rb-accent-fill-hover)',
  '--mantine-color-rain-light': 'var(--rb-accent-soft)',
  '--mantine-color-rain-light-hover': 'var(--rb-selection)',
  '--mantine-color-rain-light-color': 'var(--rb-accent-words)',
  '--mantine-color-rain-text': 'var(--rb-accent-words)',
  '--mantine-color-red-filled': 'var(--rb-bad-fill)',
  '--mantine-color-red-light': 'var(--rb-bad-soft)',
  '--mantine-color-red-light-color': 'var(--rb-bad-words)',
  '--mantine-color-red-text': 'var(--rb-bad-words)',
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: ours, dark: ours });
