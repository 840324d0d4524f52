// Mantine's theme, made of the design tokens (shared/design/tokens.ts). Sizes of its components are in theme.css, which needs no
// script.
import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import { statuses } from '@rainbell/contract/service-api';

const steps = ['xs', 'sm', 'md', 'lg', 'xl'] as const;

/** Mantine's five steps as tokens, smallest first. */
function sizesOf(kind: string, sizes: readonly number[]): Record<string, string> {
  return Object.fromEntries(steps.map((step, index) => [step, `var(--rb-${kind}-${sizes[index]})`]));
}

/** A menu that is higher than what is free scrolls. */
const middlewares = { size: true };

export const theme = createTheme({
  primaryColor: 'rain',
  primaryShade: 7,
  // From light to dark. Mantine's components take backgrounds, lines, and text of the dark scheme from `dark`.
  colors: {
    rain: [
      'var(--rb-accent-soft)',
      'var(--rb-accent-soft)',
      'var(--rb-accent)',
      'var(--rb-accent)',
      'var(--rb-accent)',
      'var(--rb-accent)',
      'var(--rb-accent)',
      'var(--rb-accent-fill)',
      'var(--rb-accent-fill-hover)',
      'var(--rb-accent-words)',
    ],
    dark: [
      'var(--rb-text)',
      'var(--rb-mute-words)',
      'var(--rb-dim)',
      'var(--rb-placeholder)',
      'var(--rb-line-strong)',
      'var(--rb-line)',
      'var(--rb-raised)',
      'var(--rb-surface)',
      'var(--rb-sunken)',
      'var(--rb-page)',
    ],
  },
  fontFamily: 'var(--rb-sans)',
  fontFamilyMonospace: 'var(--rb-mono)',
  headings: { fontFamily: 'var(--rb-sans)', fontWeight: '600' },
  fontSizes: sizesOf('text', [12, 14, 14, 16, 20]),
  lineHeights: Object.fromEntries(steps.map((step) => [step, 'var(--rb-leading)'])),
  spacing: sizesOf('space', [8, 12, 16, 24, 32]),
  radius: sizesOf('radius', [4, 4, 6, 8, 8]),
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    // Inside of the landmark that their buttons are in, and without Mantine's own focusable child, which no menu may have.
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        portalProps: { target: '#rb-main' },
        middlewares,
        position: 'bottom-end',
      },
    },
    // Filled is what a screen, form, or dialog is for.
    Button: { defaultProps: { variant: 'default' } },
    ActionIcon: { defaultProps: { variant: 'subtle' } },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show or hide what you typed' } },
    },
  },
});

const coloredLabels = new Set([...statuses, 'clear'].map((label) => label.replaceAll(' ', '-')));

/** Returns the name of a label's colors; an unknown label looks like `unknown`. */
export function weatherColor(label: string): string {
  const name = label.replaceAll(' ', '-');
  return coloredLabels.has(name) ? name : 'unknown';
}

// The same in both schemes, because the tokens follow the scheme.
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
  '--mantine-color-orange-light': 'var(--rb-warn-soft)',
  '--mantine-color-orange-light-hover': 'var(--rb-warn-soft)',
  '--mantine-color-orange-light-color': 'var(--rb-warn-words)',
  '--mantine-color-red-filled': 'var(--rb-bad-fill)',
  '--mantine-color-red-light': 'var(--rb-bad-soft)',
  '--mantine-color-red-light-color': 'var(--rb-bad-words)',
  '--mantine-color-red-text': 'var(--rb-bad-words)',
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: ours, dark: ours });
