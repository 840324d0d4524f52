// The system's proxy, which Chromium knows: for what core and the service request.
import { expect, it, vi } from 'vitest';
import { findProxy } from '#electron/system/system-proxy.ts';
import { startProxy } from '#test/stories/tls-host.ts';
import { isReal, startRainbell } from './rainbell.ts';

vi.mock('electron', async () => (await import('./without-chromium.ts')).readyElectron());

it.each([
  ['DIRECT', null],
  ['PROXY 10.0.0.1:8080', 'http://10.0.0.1:8080'],
  ['PROXY 10.0.0.1:8080;DIRECT', 'http://10.0.0.1:8080'],
  ['HTTPS proxy.example:443; PROXY 10.0.0.1:8080', 'https://proxy.example:443'],
  ['SOCKS5 10.0.0.1:1080;PROXY [2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
  ['SOCKS5 10.0.0.1:1080', null],
  ['DIRECT;PROXY 10.0.0.1:8080', null],
  ['', null],
])('of Chromium’s answer “%s” is %s', (answer, url) => {
  expect(findProxy(answer)).toBe(url);
});

it.skipIf(isReal)('carries the requests of core and of the service, as the settings say', async () => {
  const { proxyUrl, tunnels } = await startProxy();
  const rainbell = await startRainbell({
    args: ['rainbell://forecast?lat=45.07&lng=7.69'],
    environment: {
      RAINBELL_DOUBLE_PROXY: `PROXY ${new URL(proxyUrl).host};DIRECT`,
      RAINBELL_PROVIDER: 'open-meteo',
      RAINBELL_OPEN_METEO_URL: 'http://weather.example.test',
    },
  });
  const page = await rainbell.firstPage();
  await expect.poll(() => tunnels).toContain('weather.example.test');
  await rainbell.evaluate(({ Menu }) => {
    const items = (Menu.getApplicationMenu()?.items ?? []).flatMap((item) => item.submenu?.items ?? []);
    items.find(({ label }) => label === 'Check for Updates…')?.click();
  });
  await expect.poll(() => tunnels).toContain('api.github.com:443');
  await page.getByText('Default: the system’s proxy and CA certificates').waitFor();
});
