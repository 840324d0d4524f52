// What axe finds on a screen of the app, without what it cannot decide there and why that is right.
import { findInPage } from '../axe.ts';

/**
 * Violations, and what axe could not decide. That is not the contrast of colors, which axe gives up on in SVG and under what lies over a
 * text: words and grounds are tokens (design-tokens.test.ts). `rules`: only these; `within`: selector of the part to look at.
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
