// What the screens' Content-Security-Policy forbids and what still works under it: icons come through core, never from the network.
import { describe, expect, it } from 'vitest';
import { createAppStore } from '#renderer/app/app-store.ts';
import { startCore } from '#test/core/core-harness.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { injectImages, startListener } from '#test/setup/image-leaks.ts';
import { openScreens } from '../screen-harness.ts';

describe('injected HTML', () => {
  it('sends no image request to any host', async () => {
    const { page, violations } = await openScreens();
    await page.getByRole('heading', { name: 'Next 72 hours' }).waitFor();
    const listener = await startListener();
    await injectImages(page, listener);
    expect(listener.connections()).toBe(0);
    await expect.poll(() => violations.splice(0).filter((text) => text.includes('/leak')).length).toBeGreaterThan(0);
  });

  it('sets no styles', async () => {
    const { page, violations } = await openScreens();
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
});

describe('weather icons', () => {
  const drawn =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><style>rect { fill: #0f0 }</style><rect width="8" height="8"/></svg>';

  it('are drawn with their own styles, one request per icon', async () => {
    const { page, service } = await openScreens({
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
    await expect.poll(() => page.locator('svg image').count()).toBeGreaterThan(1);
    await page.keyboard.press('F5');
    await expect.poll(() => service.requestsTo('GET /v2/weather/').length).toBe(2);
    await expect
      .poll(() =>
        page
          .getByRole('button', { name: /^Fetch/ })
          .first()
          .isEnabled(),
      )
      .toBe(true);
    expect(service.requestsTo('GET /v2/icons/cloudy')).toHaveLength(1);
    expect(service.requestsTo('GET /v2/icons/rainy')).toHaveLength(1);
  });

  it('are held up to a limit, however many a service names', async () => {
    const icon = { headers: { 'content-type': 'image/png' }, body: 'x' };
    const urls = Array.from({ length: 300 }, (_, index) => `/v2/icons/many-${index}`);
    const service = await startFakeService(Object.fromEntries(urls.map((url) => [`GET ${url}`, () => icon])));
    const { client } = await startCore({ sandbox: service.introduction });
    const store = createAppStore(client);
    await Promise.all(urls.map((url) => store.getState().icons.load(service.baseUrl + url)));
    const states = () => [...store.getState().icons.states.values()].map(({ state }) => state);
    expect(states().filter((state) => state === 'loaded')).toHaveLength(256);
    expect(states().filter((state) => state === 'tooMany')).toHaveLength(44);
    expect(service.seen.filter(({ url }) => url.startsWith('/v2/icons/'))).toHaveLength(256);
    store.getState().icons.retryFailed();
    expect(states()).toEqual([]);
    await store.getState().icons.load(`${service.baseUrl}${urls[299]}`);
    expect(states()).toEqual(['loaded']);
  });
});
