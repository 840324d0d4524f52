// Exports of the forecast in a real Chromium: the chart as pictures, and the text with a link.
import { readFile } from 'node:fs/promises';
import { PNG } from 'pngjs';
import { expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';
import { weatherBody } from '../weather-bodies.ts';

it('saves the chart as PNG and SVG, and copies a text with a link', async () => {
  const now = Date.now();
  const { page, complaints } = await openScreens({
    routes: {
      'GET /v2/weather/': ({ headers }) => ({ body: weatherBody({ now, iconBase: `http://${headers.host}` }) }),
    },
    browser: 'whole',
  });
  await page.getByRole('slider').waitFor();
  const save = async (name: string) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const png = await save('Chart, PNG');
  expect(png.name).toMatch(/^rainbell-.*\.png$/);
  const picture = PNG.sync.read(png.bytes);
  const svg = await save('Chart, SVG');
  const text = svg.bytes.toString('utf8');
  const [, width = '0'] = /<svg[^>]* width="([\d.]+)"/.exec(text) ?? [];
  expect(Number(width)).toBeGreaterThan(600);
  expect(picture.width).toBe(Math.ceil(Number(width) * 2));
  // Every pixel of a chart that was not drawn would have one color.
  expect(new Set(new Uint32Array(new Uint8Array(picture.data).buffer)).size).toBeGreaterThan(50);
  expect(text).toContain('Turin');
  expect(text).toContain('Weather data by Open-Meteo.com (CC BY 4.0)');
  expect(text).not.toMatch(/ class=|var\(|<script|<foreignObject/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Copy summary with link' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/^Forecast for .*\n[^]*\nrainbell:\/\/forecast\?lat=45\.07\d*&lng=7\.68\d*$/);
  expect(complaints).toEqual([]);
});

it('prints the forecast on one light page, without bar and pane', async () => {
  const { page } = await openScreens({ settings: { theme: 'dark' }, hasOwnPage: true });
  await page.getByRole('slider').waitFor();
  const bytes = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  expect(bytes.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  const background = () => page.evaluate(() => getComputedStyle(document.querySelector('main')!).backgroundColor);
  const pane = page.getByRole('region', { name: 'Request and response' });
  const dark = await background();
  await expect.poll(() => pane.isVisible()).toBe(true);
  // The pane is open; the chart fills the page anyway.
  await page.evaluate(() => void dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  const printed = await page.evaluate(() => {
    const zoom = Number(document.documentElement.style.getPropertyValue('--rb-print-zoom'));
    const tracks = [...document.querySelectorAll('[data-chart] svg[data-part]')].map((svg) =>
      svg.getAttribute('width'),
    );
    const screen = document.querySelector('h1')?.parentElement?.getBoundingClientRect();
    return { width: Math.max(...tracks.map(Number)) * zoom, height: screen?.height ?? 0 };
  });
  // Of 970 × 700 pixels; axes are beside the drawing.
  expect(printed.width).toBeGreaterThan(860);
  expect(printed.height).toBeGreaterThan(600);
  expect(printed.height).toBeLessThanOrEqual(700);
  await page.evaluate(() => void dispatchEvent(new Event('afterprint')));
  expect(await background()).not.toBe(dark);
  await expect.poll(() => pane.isVisible()).toBe(false);
  // A page of paper is narrow; in a window of that width the chart shows 24 hours and pans.
  await page.setViewportSize({ width: 600, height: 900 });
  await expect.poll(() => page.locator('[data-chart]').count()).toBe(1);
  await expect.poll(() => page.locator('[data-panned]').count()).toBe(0);
});
