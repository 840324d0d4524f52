// What axe finds on a page. axe-core itself, not its wrapper for Playwright: the wrapper loads half a megabyte into the page for
// each look, and looks at style sheets and media before rules that need neither. No page of ours has frames.
import axe from 'axe-core';
import type { Page } from 'playwright';

async function run(page: Page, resultTypes: ('violations' | 'incomplete')[], rules: readonly string[] = []) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const options = { resultTypes, preload: false, ...(rules.length > 0 && { runOnly: [...rules] }) };
  return page.evaluate(async (options) => {
    const { violations, incomplete } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, options);
    return { violations, incomplete };
  }, options);
}

function describeViolations(violations: readonly axe.Result[]): string[] {
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** The rule, the element and the advice of each violation; empty where axe finds nothing. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  return describeViolations((await run(page, ['violations'])).violations);
}

type Findings = { violations: string[]; undecided: string[] };

/**
 * Also what axe could not decide, as `rule at element: reason`, or `rule in place at element: reason`, which the test has to explain.
 * `rules`: only these. `places`: selectors by the name of a place.
 */
export async function accessibilityFindings(
  page: Page,
  rules: readonly string[] = [],
  places: Readonly<Record<string, string>> = {},
): Promise<Findings> {
  const { violations, incomplete } = await run(page, ['violations', 'incomplete'], rules);
  const found = incomplete.flatMap(({ id, nodes }) => nodes.map((node) => ({ id, ...node })));
  const placeOf = await page.evaluate(
    ({ targets, places }) =>
      targets.map((target) => {
        const element = document.querySelector(target);
        return Object.keys(places).find((name) => element?.closest(places[name] ?? '') != null);
      }),
    { targets: found.map(({ target }) => String(target[0])), places },
  );
  const undecided = found.map(({ id, html, any, all, none }, index) => {
    const reasons = [...any, ...all, ...none].map(({ message }) => message);
    const place = placeOf[index];
    return `${id}${place === undefined ? '' : ` in ${place}`} at ${html.slice(0, 200)}: ${reasons.join(' ')}`;
  });
  return { violations: describeViolations(violations), undecided };
}
