// The chart as a picture, in a real Chromium.
import { readFile } from 'node:fs/promises';
import { PNG } from 'pngjs';
import { expect, it } from 'vitest';
import { openScreens } from '../screen-harness.ts';
import { weatherBody } from '../weather-bodies.ts';

it('saves the chart as PNG', async () => {
  const now = Date.now();
  const { page, complaints } = await openScreens({
    routes: {
      'GET /v2/weather/': ({ headers }) => ({ body: weatherBody({ now, iconBase: `http://${headers.host}` }) }),
    },
    browser: 'whole',
  });
  await page.getByRole('slider').waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Chart, PNG' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^rainbell-.*\.png$/);
  const picture = PNG.sync.read(await readFile(await download.path()));
  // At twice the size of the chart.
  expect(picture.width).toBeGreaterThan(1200);
  // Every pixel of a chart that was not drawn would have one color.
  expect(new Set(new Uint32Array(new Uint8Array(picture.data).buffer)).size).toBeGreaterThan(50);
  expect(complaints).toEqual([]);
});
