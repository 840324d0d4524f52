// The receiver speaks HTTPS with a certificate of its own, and the sandbox that came with the app trusts it, before and after a
// restart of both.
import { expect, test } from 'vitest';
import { openAppProcess } from './app-process.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

test('a monitor to this app is called over HTTPS, even after a restart', async () => {
  const dataFolder = temporaryFolder();
  const first = await openAppProcess(dataFolder);
  const created = await first.client.monitors.create({
    geo: { lat: 45.07, lng: 7.69 },
    callback: { kind: 'this-app' },
  });
  expect(created.callbackUri).toMatch(/^http:/);
  await first.client.app.changeReceiverAccess({ tls: true, lan: false });
  const [stale] = (await first.client.monitors.list()).monitors;
  expect(stale?.toThisApp).toBe(false);
  const moved = await first.client.monitors.callThisApp({ id: created.id });
  expect(moved).toMatchObject({ proof: 'arrived', monitor: { toThisApp: true } });
  expect(moved.monitor.callbackUri).toMatch(/^https:/);
  await first.app.stop();

  const second = await openAppProcess(dataFolder);
  await expect.poll(async () => (await second.client.app.status()).receiver.state).toBe('listening');
  expect(await second.client.monitors.callThisApp({ id: created.id })).toMatchObject({ proof: 'arrived' });
  await second.client.app.changeReceiverAccess({ tls: false, lan: false });
  const back = await second.client.monitors.callThisApp({ id: created.id });
  expect(back).toMatchObject({ proof: 'arrived' });
  expect(back.monitor.callbackUri).toMatch(/^http:/);
});
