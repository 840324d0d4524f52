// What axe finds on a page. axe-core itself, not its wrapper for Playwright: the wrapper loads half a megabyte into the page for
// each look, and looks at style sheets and media before rules that need neither. No page of ours has frames.
import axe from 'axe-core';
import type { Page } from 'playwright';

/** The rule, the element and the advice of each violation; empty where axe finds nothing. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      preload: false,
    });
    return violations;
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
  );
}
