// What is saved of a forecast, and what of it is copied as a request.
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { chartPicture } from '#renderer/features/forecast/chart-picture.ts';
import { maskText } from '#shared/text/mask-text.ts';
import { expectShown, forecastOf, openApp } from '../open-app.ts';
import { savedBy } from '../saved-file.ts';

/** The file that this choice of the menu saves. */
const save = (what: RegExp) =>
  savedBy(async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('dialog', { name: 'More' }).getByRole('button', { name: what }).click();
  });

it('saves the response byte by byte, the points as CSV, and the chart as PNG', async () => {
  const forecast = forecastOf();
  openApp({ stubs: { forecast: { get: () => forecast } } });
  await expectShown(page.getByRole('slider'));
  const json = await save(/JSON/);
  expect(json.name).toMatch(/^rainbell-turin-.*Z\.json$/);
  expect(await json.blob.text()).toBe(forecast.response.bodyText);
  const csv = await save(/CSV/);
  expect((await csv.blob.text()).split('\r\n')).toHaveLength(forecast.points.length + 2);
  const png = await save(/PNG/);
  expect(png.name).toMatch(/\.png$/);
  const picture = await createImageBitmap(png.blob);
  // At twice the size of the chart.
  expect(picture.width).toBeGreaterThan(1200);
  const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  context?.drawImage(picture, 0, 0);
  const pixels = context?.getImageData(0, 0, picture.width, picture.height).data.buffer ?? new ArrayBuffer();
  // Every pixel of a chart that was not drawn would have one color.
  expect(new Set(new Uint32Array(pixels)).size).toBeGreaterThan(50);
  // Nothing that the page's styles color, such as the line of the temperature, falls back to SVG's black.
  const { svg } = chartPicture([...document.querySelectorAll<SVGSVGElement>('[data-chart] svg[data-part]')], []);
  expect(svg).toMatch(/<path[^>]* stroke="rgb/);
  expect(svg).not.toContain('class=');
});

it('shows the bytes as received, the token only on request, and leads to the request in Traffic', async () => {
  const bodyText = '{"meta":{},"objects":[ {"sun_altitude": 1.50e1} ]}';
  const usual = forecastOf();
  const headers: [string, string][] = [['authorization', `Bearer ${maskText}`]];
  const request = { ...usual.request, headers };
  const forecast = { ...usual, request, response: { ...usual.response, bodyText } };
  const reveal = vi.fn<() => { token: string; jwt: null }>(() => ({ token: 'access-1', jwt: null }));
  openApp({ stubs: { forecast: { get: () => forecast }, session: { reveal } } });
  await page.getByRole('button', { name: 'Inspect' }).click();
  await page.getByRole('radiogroup', { name: 'Inspector' }).getByText('cURL').click();
  const curl = page.getByRole('region', { name: 'The request as a curl command' });
  await expect.element(curl).toMatchTextContent(/"authorization: Bearer \$ACCESS_TOKEN"/);
  expect(reveal).not.toHaveBeenCalled();
  await page.getByRole('switch', { name: 'Include the token' }).click();
  await expectShown(curl.getByText('Bearer access-1'));
  await page.getByRole('radiogroup', { name: 'Inspector' }).getByText('JSON').click();
  await page.getByRole('button', { name: 'More JSON actions' }).click();
  await page.getByRole('button', { name: 'Show as received' }).click();
  await expect.element(page.getByRole('region', { name: 'The response as received' })).toHaveTextContent(bodyText);
  await page.getByRole('radiogroup', { name: 'Inspector' }).getByText('Headers').click();
  await page.getByRole('button', { name: 'Open in Traffic' }).click();
  await expect.poll(() => location.hash).toMatch(/^#\/traffic/);
  await userEvent.keyboard('{Escape}');
});
