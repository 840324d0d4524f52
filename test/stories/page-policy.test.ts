// What the screens' Content-Security-Policy forbids and what still works under it: icons come through core, never from the network.
import { expect, it } from 'vitest';
import { injectImages, startListener } from '#test/setup/image-leaks.ts';
import { openScreens } from './screen-harness.ts';

it('injected HTML sends no image request and sets no styles, and weather icons are drawn with their own', async () => {
  const drawn =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><style>rect { fill: #0f0 }</style><rect width="8" height="8"/></svg>';
  const { page, service, violations } = await openScreens({
    routes: { 'GET /v2/icons/cloudy': () => ({ headers: { 'content-type': 'image/svg+xml' }, body: drawn }) },
    weather: { statuses: ['cloudy', 'rainy'] },
  });
  const icon = page.getByRole('region', { name: 'Weather now' }).locator('img');
  await icon.waitFor();
  await page.locator('[data-loading-icon]').first().waitFor({ state: 'detached' });
  const pixel = await icon.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const context = new OffscreenCanvas(1, 1).getContext('2d')!;
    context.drawImage(image, 0, 0, 1, 1);
    return { width: image.naturalWidth, color: [...context.getImageData(0, 0, 1, 1).data] };
  });
  expect(pixel).toEqual({ width: 8, color: [0, 255, 0, 255] });
  await page.keyboard.press('F5');
  await expect.poll(() => service.requestsTo('GET /v2/weather/').length).toBe(2);
  const requests = ['cloudy', 'rainy'].map((name) => service.requestsTo(`GET /v2/icons/${name}`).length);
  expect(requests).toEqual([1, 1]);

  const listener = await startListener();
  await injectImages(page, listener);
  expect(listener.connections()).toBe(0);
  await expect.poll(() => violations.splice(0).filter((text) => text.includes('/leak')).length).toBeGreaterThan(0);
  const found = await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<style>#injected { color: rgb(1, 2, 3) }</style><p id="injected" style="background: rgb(4, 5, 6)">x</p>',
    );
    const { color, backgroundColor } = getComputedStyle(document.querySelector('#injected')!);
    return { color, backgroundColor };
  });
  expect(found.color).not.toBe('rgb(1, 2, 3)');
  expect(found.backgroundColor).toBe('rgba(0, 0, 0, 0)');
  await expect.poll(() => violations.length).toBe(2);
  violations.length = 0;
});
