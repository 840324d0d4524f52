// The looks at accessibility of all screen tests use an axe that is changed to be quicker (test/setup/accessibility.ts).
import axe from 'axe-core';
import { expect, it } from 'vitest';
import { accessibilityFindings } from '#test/setup/accessibility.ts';
import { newBrowserContext } from '#test/setup/browser-context.ts';

/** Nested texts over backgrounds of every kind, some of them too faint, in the same order on each run. */
function faintPage(): string {
  let state = 7919;
  const pick = (count: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % count;
  };
  const color = () =>
    [
      `rgb(${pick(256)},${pick(256)},${pick(256)})`,
      `rgba(${pick(256)},${pick(256)},${pick(256)},.${pick(10)})`,
      `oklch(.${pick(10)} .1 ${pick(360)})`,
      `color-mix(in srgb, red ${pick(100)}%, blue)`,
      'transparent',
      '#777',
    ][pick(6)];
  const effects = ['opacity: .7', 'mix-blend-mode: multiply', 'text-shadow: 0 0 2px #888', '', '', ''];
  const block = (depth: number): string =>
    `<div style="background: ${color()}; color: ${color()}; ${effects[pick(effects.length)]}">text
      ${depth > 0 ? block(depth - 1) + block(depth - 1) : ''}</div>`;
  return `<body>${block(4)}${block(3)}<p style="background: linear-gradient(red, blue)">text</p><img src="x"><input></body>`;
}

it('finds what axe itself finds', async () => {
  const page = await (await newBrowserContext()).newPage();
  await page.setContent(faintPage());
  await page.evaluate(axe.source);
  const { violations, incomplete } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run('html', { resultTypes: ['violations', 'incomplete'] }),
  );
  await page.evaluate(() => void delete (globalThis as { axe?: unknown }).axe);
  const found = await accessibilityFindings(page);
  const expected = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
  );
  const undecided = incomplete.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none }) => {
      const reasons = [...any, ...all, ...none].map(({ message }) => message);
      return `${id} at ${html.slice(0, 200)}: ${reasons.join(' ')}`;
    }),
  );
  expect(found).toEqual({ violations: expected, undecided });
  expect(expected.filter((line) => line.startsWith('color-contrast')).length).toBeGreaterThan(10);
  expect(undecided.length).toBeGreaterThan(0);
});
