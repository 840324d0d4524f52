// What axe finds in the page of a component test.
import type axe from 'axe-core';
import source from 'axe-core/axe.js?raw';
import { expect } from 'vitest';
import { quickAxe } from '#test/setup/quick-axe.ts';

export const openLayer = '[role="dialog"]:not([popover]), [role="menu"], [role="dialog"]:popover-open';
/** The rules whose result can differ between the light and the dark theme. */
export const colorRules: readonly string[] = ['color-contrast', 'link-in-text-block'];

type Findings = {
  /** The rule, the element and the advice. */
  violations: string[];
  undecided: { id: string; target: string; html: string; reasons: string[] }[];
};

/** The open dialog or menu, otherwise the screen, violates no rule of axe in either theme. `state` names it in a failure. */
export async function expectAccessible(state: string): Promise<void> {
  const { violations: light } = await findInPage();
  const { violations: dark } = await inOtherTheme(() => findInPage(colorRules));
  expect({ state, light, dark }).toEqual({ state, light: [], dark: [] });
}

/** `rules`: only these. `within`: selector of the part to look at; the open dialog or menu, otherwise the screen. */
export async function findInPage(rules: readonly string[] = [], within?: string): Promise<Findings> {
  // Axe does not know the top layer, and would take an open popover for covered by what is below it.
  const popovers = [...document.querySelectorAll<HTMLElement>(':popover-open')];
  for (const popover of popovers) popover.style.zIndex = '9999';
  const part = within ?? (document.querySelector(openLayer) ? openLayer : 'main');
  const findings = await runAxe(quickSource, part, rules);
  for (const popover of popovers) popover.style.zIndex = '';
  return findings;
}

const quickSource = quickAxe(source);
let loaded = '';

async function runAxe(script: string, within: string, rules: readonly string[] = []): Promise<Findings> {
  if (script !== loaded) {
    const element = document.createElement('script');
    element.textContent = loaded = script;
    document.head.append(element);
  }
  const { violations, incomplete } = await (globalThis as unknown as { axe: typeof axe }).axe.run(within, {
    resultTypes: ['violations', 'incomplete'],
    preload: false,
    ...(rules.length > 0 && { runOnly: [...rules] }),
  });
  return {
    violations: violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
    ),
    undecided: incomplete.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html, any, all, none }) => {
        const reasons = [...any, ...all, ...none].map(({ message }) => message);
        return { id, target: String(target[0]), html, reasons };
      }),
    ),
  };
}

async function inOtherTheme<Result>(look: () => Promise<Result>): Promise<Result> {
  await turnTheme();
  const result = await look();
  await turnTheme();
  return result;
}

/** Without a change of the setting, so that what is on the screen stays. Only colors differ between the themes. */
export async function turnTheme(): Promise<void> {
  const { dataset } = document.documentElement;
  dataset['mantineColorScheme'] = dataset['mantineColorScheme'] === 'dark' ? 'light' : 'dark';
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
}

/**
 * Violations, and what axe could not decide, except for contrast: axe gives up on it in SVG and under overlays, and the colors of text and
 * grounds are tokens (design-tokens.test.ts). `rules`: only these; `within`: selector of the part to look at.
 */
export async function openQuestions(rules: readonly string[] = [], within?: string): Promise<string[]> {
  const { violations, undecided } = await findInPage(rules, within);
  const open = undecided.filter(({ id, target, reasons }) => {
    const element = document.querySelector(target);
    if (id === 'color-contrast') return false;
    // It is covered; tests look at it without the dialog or menu.
    if (id === 'target-size') return !isBelowLayer(element);
    // The heading of a day is for the rows of its own body, and axe looks for cells beside it.
    if (id === 'th-has-data-cells') return element?.closest('section[aria-labelledby="rb-timeline-title"]') === null;
    // What a button opens is open, and what the test looks at, but axe does not look for it elsewhere.
    return !/aria-controls referenced ID exists on the page while using aria-haspopup/.test(reasons.join());
  });
  return [
    ...violations,
    ...open.map(({ id, html, reasons }) => `${id} at ${html.slice(0, 200)}: ${reasons.join(' ')}`),
  ];
}

function isBelowLayer(element: Element | null): boolean {
  const layers = [...document.querySelectorAll('[role="dialog"], [role="menu"]')];
  const layer = layers.findLast((one) => one.checkVisibility());
  return layer !== undefined && element !== null && !layer.contains(element);
}
