// What replaces an icon that is not shown. Which icons core loads: core/forecast/weather-icons.test.ts.
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { WeatherIcon } from '#contract/app-rpc/forecast.ts';
import { expectGone, expectShown, forecastOf, openApp } from '../open-app.ts';

const now = page.getByRole('region', { name: 'Weather now' });

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';
const square = `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** One icon for all points. */
function openWith(icon: () => WeatherIcon) {
  return openApp({ stubs: { forecast: { get: () => forecastOf({ statuses: ['cloudy'] }), icon } } });
}

it('an icon that is not shown says why', async () => {
  openWith(() => ({ state: 'failed', short: 'blocked', reason: 'not loaded: it is on another host' }));
  const standIn = now.getByRole('img', { name: /v2\/icons\/cloudy not loaded: it is on another host$/ });
  await expectShown(standIn);
  await expect.element(standIn).toMatchTextContent('blocked');
  expect(standIn.element().getAttribute('title')).toContain('on another host');
});

it('an icon that cannot be drawn says so', async () => {
  openWith(() => ({ state: 'loaded', dataUrl: `data:image/png;base64,${btoa('not a PNG')}` }));
  const standIn = now.getByRole('img', { name: /returned an image that can’t be displayed$/ });
  await expectShown(standIn);
  await expect.element(standIn).toMatchTextContent('broken');
});

it('the chart has an icon for each three hours, that of a wet one if any is', async () => {
  const statuses = ['sunny', 'sunny', 'sunny', 'sunny', 'sunny', 'rainy', 'cloudy', 'cloudy', 'cloudy'];
  openApp({
    stubs: {
      forecast: {
        get: () => forecastOf({ now: Date.parse('2026-11-21T05:00:00Z'), statuses }),
        icon: ({ url }) => ({ state: 'loaded', dataUrl: `${square}#${url.split('/').at(-1)}` }),
      },
    },
  });
  const hrefs = () =>
    Array.from(document.querySelectorAll('[data-chart] image'), (image) => image.getAttribute('href')?.split('#')[1]);
  await expect.poll(() => hrefs().slice(0, 3)).toEqual(['clear_moon', 'rainy', 'cloudy']);
});

it('the chart shows why an icon is missing, if there is room', async () => {
  openWith(() => ({ state: 'failed', short: 'no icon', reason: 'couldn’t be loaded' }));
  const words = () => Array.from(document.querySelectorAll('[data-chart] rect + text'), (word) => word.textContent);
  await expect.poll(words).toContain('no icon');
});

it('an icon that failed is requested again with the next forecast', async () => {
  const { stub } = openWith(() => ({ state: 'failed', short: '503', reason: 'returned 503' }));
  const standIn = now.getByRole('img', { name: /returned 503$/ });
  await expectShown(standIn);
  stub({ forecast: { icon: () => ({ state: 'loaded', dataUrl: square }) } });
  await userEvent.keyboard('{F5}');
  await expectGone(standIn);
  await expect.poll(() => now.element().querySelector('img')).not.toBeNull();
});

it('icons are held up to a limit, however many a service names, and requested once each', async () => {
  let requests = 0;
  const { store } = openApp({
    hash: '#/settings',
    stubs: {
      forecast: {
        icon() {
          requests += 1;
          return { state: 'loaded', dataUrl: 'data:image/png;base64,eA==' };
        },
      },
    },
  });
  const { icons } = store.getState();
  const urls = Array.from({ length: 300 }, (_, index) => `http://127.0.0.1:1/v2/icons/many-${index}`);
  await Promise.all([...urls, ...urls].map((url) => icons.load(url)));
  const states = () => [...store.getState().icons.states.values()].map(({ state }) => state);
  expect(states().filter((state) => state === 'loaded')).toHaveLength(256);
  expect(states().filter((state) => state === 'failed')).toHaveLength(44);
  expect(requests).toBe(256);
  icons.retryFailed();
  expect(states()).toEqual([]);
  await icons.load(urls[299] ?? '');
  expect(states()).toEqual(['loaded']);
});
