// What axe finds on a page of the website, of the sign-in, or of a proof. axe-core itself, not its wrapper for Playwright: the wrapper
// loads half a megabyte into the page for each look, and looks at style sheets and media before rules that need neither. None of
// our pages has frames.
import axe from 'axe-core';
import type { Page } from 'playwright';
import { quickAxe } from './quick-axe.ts';

const source = quickAxe(axe.source);

/** Violations of `rules` (default: all), and what axe could not decide, as `rule at element: reason`, which the test has to explain. */
export async function accessibilityFindings(
  page: Page,
  rules: readonly string[] = [],
): Promise<{ violations: string[]; undecided: string[] }> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const { violations, incomplete } = await page.evaluate(
    async (runOnly) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run('html', {
        resultTypes: ['violations', 'incomplete'],
        preload: false,
        ...(runOnly.length > 0 && { runOnly }),
      }),
    [...rules],
  );
  return {
    violations: violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
    ),
    undecided: incomplete.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any, all, none }) => {
        const reasons = [...any, ...all, ...none].map(({ message }) => message);
        return `${id} at ${html.slice(0, 200)}: ${reasons.join(' ')}`;
      }),
    ),
  };
}
