// What axe finds in the page of a component test.
import type axe from 'axe-core';
import source from 'axe-core/axe.js?raw';
import { expect } from 'vitest';
import { quickAxe } from '#test/setup/quick-axe.ts';

const openLayer = '[role="dialog"]:not([popover]), [role="menu"], [role="dialog"]:popover-open';
/** The rules whose result can differ between the light and the dark theme. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** The open dialog or menu, otherwise the screen, violates no rule of axe in either theme. `state` names it in a failure. */
export async function expectAccessible(state: string): Promise<void> {
  const light = await findProblems([]);
  await turnTheme();
  const dark = await findProblems(colorRules);
  await turnTheme();
  expect({ state, light, dark }).toEqual({ state, light: [], dark: [] });
}

async function findProblems(rules: readonly string[]): Promise<string[]> {
  // Axe does not know the top layer, and would take an open popover for covered by what is below it.
  const popovers = [...document.querySelectorAll<HTMLElement>(':popover-open')];
  for (const popover of popovers) popover.style.zIndex = '9999';
  const within = document.querySelector(openLayer) ? openLayer : 'main';
  if (!('axe' in globalThis)) {
    const script = document.createElement('script');
    script.textContent = quickAxe(source);
    document.head.append(script);
  }
  const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(within, {
    resultTypes: ['violations'],
    preload: false,
    ...(rules.length > 0 && { runOnly: [...rules] }),
  });
  for (const popover of popovers) popover.style.zIndex = '';
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** To the other one, without a change of the setting, so that what is on the screen stays. */
async function turnTheme(): Promise<void> {
  const { dataset } = document.documentElement;
  dataset['mantineColorScheme'] = dataset['mantineColorScheme'] === 'dark' ? 'light' : 'dark';
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
}
