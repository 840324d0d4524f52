// What axe finds on a page. Legacy mode and violations alone take a third of the time: no page of ours has frames, for which
// the other mode opens a further tab, and what passed is read by nobody.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';

/** The rule, the element and the advice of each violation; empty where axe finds nothing. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
  );
}
