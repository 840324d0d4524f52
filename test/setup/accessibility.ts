// What axe finds on a page. axe-core itself, not its wrapper for Playwright: the wrapper loads half a megabyte into the page for
// each look, and looks at style sheets and media before rules that need neither. None of our pages has frames.
import axe from 'axe-core';
import type { Page } from 'playwright';
import { quickAxe } from './quick-axe.ts';

/** The rules whose result can differ between the light and the dark theme. */
export const colorRules: readonly string[] = ['color-contrast', 'link-in-text-block'];

const source = quickAxe(axe.source);

async function run(
  page: Page,
  resultTypes: ('violations' | 'incomplete')[],
  rules: readonly string[] = [],
  within = 'html',
) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const options = { resultTypes, preload: false, ...(rules.length > 0 && { runOnly: [...rules] }) };
  return page.evaluate(
    async ({ options, within }) => {
      // Axe does not know the top layer, and would take an open popover for covered by what is below it.
      const popovers = [...document.querySelectorAll<HTMLElement>(':popover-open')];
      for (const popover of popovers) popover.style.zIndex = '9999';
      const { violations, incomplete } = await (globalThis as unknown as { axe: typeof axe }).axe.run(within, options);
      for (const popover of popovers) popover.style.zIndex = '';
      return { violations, incomplete };
    },
    { options, within },
  );
}

function describeViolations(violations: readonly axe.Result[]): string[] {
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/**
 * The rule, the element and the advice of each violation of `rules` (default: all) in the open dialog or menu, otherwise in the screen;
 * empty if axe finds nothing. What is around them is the same on every screen, and a test of all screens looks at it.
 */
export async function accessibilityProblems(page: Page, rules: readonly string[] = []): Promise<string[]> {
  const within = (await page.locator(openLayer).count()) > 0 ? openLayer : 'main';
  return describeViolations((await run(page, ['violations'], rules, within)).violations);
}

/** Over the screen. */
export const openLayer = '[role="dialog"]:not([popover]), [role="menu"], [role="dialog"]:popover-open';

/**
 * Shows the page in the other theme while `look` runs, without a change of the setting, so that what is on the screen stays. Only
 * colors differ between the themes.
 */
export async function inOtherTheme<Result>(page: Page, look: () => Promise<Result>): Promise<Result> {
  const turn = () =>
    page.evaluate(async () => {
      const { dataset } = document.documentElement;
      dataset['mantineColorScheme'] = dataset['mantineColorScheme'] === 'dark' ? 'light' : 'dark';
      const isTransition = (animation: Animation) => animation instanceof CSSTransition;
      await Promise.allSettled(
        document
          .getAnimations()
          .filter(isTransition)
          .map(({ finished }) => finished),
      );
    });
  await turn();
  const result = await look();
  await turn();
  return result;
}

/** Below an open dialog or menu. */
const below = 'what is below';

type Findings = { violations: string[]; undecided: string[] };

/**
 * Also what axe could not decide, as `rule at element: reason`, or `rule in place at element: reason`, which the test has to explain.
 * `rules`: only these. `places`: selectors by the name of a place. `within`: selector of the part to look at.
 */
export async function accessibilityFindings(
  page: Page,
  rules: readonly string[] = [],
  places: Readonly<Record<string, string>> = {},
  within?: string,
): Promise<Findings> {
  const { violations, incomplete } = await run(page, ['violations', 'incomplete'], rules, within);
  const found = incomplete.flatMap(({ id, nodes }) => nodes.map((node) => ({ id, ...node })));
  const placeOf = await page.evaluate(
    ({ targets, places, below }) => {
      const layer = [...document.querySelectorAll('[role="dialog"], [role="menu"]')].findLast((one) =>
        one.checkVisibility(),
      );
      return targets.map((target) => {
        const element = document.querySelector(target);
        if (layer && element && !layer.contains(element)) return below;
        return Object.keys(places).find((name) => element?.closest(places[name] ?? '') != null);
      });
    },
    { targets: found.map(({ target }) => String(target[0])), places, below },
  );
  const undecided = found.flatMap(({ id, html, any, all, none }, index) => {
    const reasons = [...any, ...all, ...none].map(({ message }) => message);
    const place = placeOf[index];
    // It is covered; tests look at it without the dialog or menu.
    if (place === below && (id === 'color-contrast' || id === 'target-size')) return [];
    return `${id}${place === undefined ? '' : ` in ${place}`} at ${html.slice(0, 200)}: ${reasons.join(' ')}`;
  });
  return { violations: describeViolations(violations), undecided };
}
