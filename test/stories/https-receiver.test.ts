// The receiver speaks HTTPS with a certificate of its own, and the sandbox that came with the app trusts it, before and after a
// restart of both.
import { expect, test } from 'vitest';
import type { AppClient } from '#contract/app-rpc/contract.ts';
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
  await moveHere(first.client, created.id, /^https:/);
  await first.app.stop();

  const second = await openAppProcess(dataFolder);
  await expect.poll(async () => (await second.client.app.status()).receiver.state).toBe('listening');
  await moveHere(second.client, created.id, /^https:/);
  await second.client.app.changeReceiverAccess({ tls: false, lan: false });
  await moveHere(second.client, created.id, /^http:/);
});

async function moveHere({ app, monitors }: AppClient, id: string, url: RegExp): Promise<void> {
  const { toThisApp, callbackUri } = await monitors.update({ id, changes: { callback: { kind: 'this-app' } } });
  expect({ toThisApp, callbackUri }).toEqual({ toThisApp: true, callbackUri: expect.stringMatching(url) });
  const { callbackCount } = await app.status();
  await monitors.sendTest({ id });
  await expect.poll(async () => (await app.status()).callbackCount).toBe(callbackCount + 1);
}
