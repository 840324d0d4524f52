// What axe finds on a screen of the app, without what it cannot decide there and why that is right.
import { findInPage } from '../axe.ts';

/** Elements that axe cannot check; it must decide on all others. */
const places = {
  'the chart': 'section[aria-labelledby="rb-timeline-title"]',
  'the now strip': 'section[aria-label="Weather now"]',
  'the JSON': 'section[aria-label="Request and response"]',
  'the comparison': 'section[aria-labelledby="rb-compare-title"]',
  'the monitors': '[role="grid"][aria-label="Monitors"]',
  'a layer': '[role="dialog"], [role="menu"]',
};

/** What axe cannot decide, and why it is right. */
const explained: readonly { finding: RegExp; because: string }[] = [
  {
    finding:
      /^color-contrast (?:in the chart |in a layer |in the JSON )?at <label class="_choice_.* due to a pseudo element$/,
    because:
      'The raised ground of the chosen one is a pseudo element. Words and grounds are tokens (design-tokens.test.ts).',
  },
  {
    finding: /^color-contrast in the (?:chart|now strip) at [\s\S]*element contains an image node$/,
    because:
      'The chart is one SVG, which axe takes for a picture. Words and grounds are tokens (design-tokens.test.ts).',
  },
  {
    finding: /^color-contrast in the chart at [\s\S]*overlap(?:ped by another element|s other elements)$/,
    because: 'The slider lies over the chart and is transparent. Words and grounds are tokens.',
  },
  {
    finding: /^color-contrast in the chart at [\s\S]*(?:too short to determine|only non-text characters)/,
    because: 'Ticks of an axis and arrows of sunrise and sunset, in the colors of longer words.',
  },
  {
    finding:
      /^color-contrast in the JSON at <span class="rb-json" data-kind="key"[\s\S]*partially obscured by another element$/,
    because: 'A row of the JSON at the edge of its scrolling frame.',
  },
  {
    finding:
      /^color-contrast in the JSON at <span class="rb-mono rb-truncate" title="GET [\s\S]*partially overlaps other elements$/,
    because:
      'In a window of 640 px the pane may begin at the edge of the scrolling screen. Words and ground are tokens.',
  },
  {
    finding: /^color-contrast in the JSON at <button [^>]*class="[^"]*_fold_[\s\S]*only non-text characters$/,
    because: 'The triangle of a fold, in the color of the line numbers beside it.',
  },
  {
    finding: /^th-has-data-cells in the chart at <table /,
    because: 'The heading of a day is for the rows of its own body, and axe looks for cells beside it.',
  },
  {
    finding: /^color-contrast in the comparison at <th scope="rowgroup"/,
    because: 'The time beside the rows of all sides, which axe takes for rows over it.',
  },
  {
    finding: /^color-contrast in the monitors at [\s\S]*overlapped by another element$/,
    because: 'Countries of the map below, which its frame cuts off; axe measures them whole.',
  },
  {
    finding: /^color-contrast at <text class="_townName_/,
    because: 'A name on the map, with an edge in the color of the land. Words and grounds are tokens.',
  },
  {
    finding: /^color-contrast in the comparison at <text /,
    because: 'One SVG again, whose words and grounds are tokens.',
  },
  {
    finding: /^color-contrast in a layer at [\s\S]*(?:overlap|obscured)/,
    because:
      'A dialog or menu covers what is below it, which axe takes into account, and scrolls. Words and ground are tokens.',
  },
  {
    finding: /^color-contrast in a layer at <span aria-hidden="true" class="_gutter_.* only non-text characters$/,
    because: 'Plus and minus of compared lines, whose colors are tokens.',
  },
  {
    finding: /^color-contrast in a layer at <kbd .* only non-text characters$/,
    because: 'Arrows of the keyboard, in the colors of the other keys.',
  },
  {
    finding: /^color-contrast in a layer at [\s\S]* too short to determine/,
    because: 'A number of one digit, in the colors of longer ones.',
  },
  {
    finding: /^aria-valid-attr-value [\s\S]*aria-controls referenced ID exists on the page while using aria-haspopup/,
    because: 'Axe does not look for what a button opens elsewhere. It is open, and what this test looks at.',
  },
  {
    finding: /^color-contrast at <kbd .* only non-text characters$/,
    because: 'Arrows of the keyboard, in the colors of the other keys.',
  },
  {
    finding:
      /^color-contrast (?:at <span class="_count_|in the JSON at <span class="_number_).* too short to determine/,
    because: 'A number of one digit, in the colors of longer ones.',
  },
  {
    finding: /^color-contrast at <span class="[^"]*Button-label">New monitor at .*overlaps other elements$/,
    because: 'The button lies over the map and has its own ground.',
  },
  {
    finding: /^color-contrast at <span class="_(?:verdict|number)_.* overlapped by another element$/,
    because: 'The box of a shortened text before it reaches over it; nothing of that box is drawn.',
  },
  {
    finding: /^color-contrast at <span class="_run_.*Axe encountered an error/,
    because: 'The viewer drew its rows again meanwhile. Colors of JSON are tokens (design-tokens.test.ts).',
  },
];

/** Violations, and what axe could not decide and no one explained. `rules`: only these; `within`: selector of the part to look at. */
export async function openQuestions(rules: readonly string[] = [], within?: string): Promise<string[]> {
  const { violations, undecided } = await findInPage(rules, within);
  return [
    ...violations,
    ...undecided
      .flatMap(({ id, target, html, reasons }) => {
        const element = document.querySelector(target);
        // It is covered; tests look at it without the dialog or menu.
        if (isBelowLayer(element) && (id === 'color-contrast' || id === 'target-size')) return [];
        const place = Object.entries(places).find(([, selector]) => element?.closest(selector) != null)?.[0];
        return `${id}${place === undefined ? '' : ` in ${place}`} at ${html.slice(0, 200)}: ${reasons.join(' ')}`;
      })
      .filter((finding) => !explained.some(({ finding: known }) => known.test(finding))),
  ];
}

function isBelowLayer(element: Element | null): boolean {
  const layers = [...document.querySelectorAll('[role="dialog"], [role="menu"]')];
  const layer = layers.findLast((one) => one.checkVisibility());
  return layer !== undefined && element !== null && !layer.contains(element);
}
