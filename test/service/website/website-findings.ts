// What axe finds on a page of the website or of the sign-in, without what it cannot decide and why that is right.
import type { Page } from 'playwright';
import { accessibilityFindings } from '#test/setup/accessibility.ts';

/** Anything else that axe leaves open fails the test. */
const explained: readonly RegExp[] = [
  // Axe does not measure over a gradient; both of its ends are tokens whose contrasts design-tokens.test.ts measures.
  /^color-contrast at [\s\S]*background gradient/,
];

/** Violations, and what axe could not decide and no one explained. `rules`: only these. */
export async function websiteFindings(page: Page, rules: readonly string[] = []): Promise<string[]> {
  const { violations, undecided } = await accessibilityFindings(page, rules);
  return [...violations, ...undecided.filter((finding) => !explained.some((known) => known.test(finding)))];
}
