// A disk without room: what was acknowledged stays, what cannot be stored is refused with a message, and everything continues as soon as
// there is room again.
import { expect, test } from 'vitest';
import { canMount, smallDisk } from './small-disk.ts';
import { startCallableService, startReceivingApp } from './started-processes.ts';

const sixtyKilobytes = 'x'.repeat(60_000);
const place = { lat: 45.07, lng: 7.69 };

test.skipIf(!canMount)('a full disk costs the app no callback that it acknowledged', async () => {
  const disk = smallDisk(24);
  const { client, send } = await startReceivingApp(disk.folder);
  await client.forecast.get(place);

  disk.fill(2_000_000);
  const answers: number[] = [];
  // Each callback takes its bytes from the disk, so this ends.
  while (answers.length < 100 && answers.at(-1) !== 503) answers.push((await send(sixtyKilobytes)).status);
  expect(answers.at(-1)).toBe(503);
  const acknowledged = answers.filter((status) => status === 200).length;
  const refused = await send(sixtyKilobytes);
  expect(refused.headers.get('retry-after')).toBe('10');
  expect(await refused.text()).toContain('could not be stored');
  expect((await client.app.status()).receiver.notice).toContain('could not be stored: the disk is full');
  expect((await client.callbacks.list({ limit: 500 })).items).toHaveLength(acknowledged);

  // What needs no room still works; what needs it says why it does not.
  expect((await client.forecast.get({ lat: -33.9, lng: 18.4 })).points.length).toBeGreaterThan(70);
  await expect(client.settings.update({ theme: 'dark' })).rejects.toThrow(/could not be written .*no space left/);

  disk.makeRoom();
  expect((await send(sixtyKilobytes)).status).toBe(200);
  expect((await client.callbacks.list({ limit: 500 })).items).toHaveLength(acknowledged + 1);
  expect((await client.app.status()).receiver.notice ?? '').not.toContain('could not be stored');
  await client.settings.update({ theme: 'dark' });
});

test.skipIf(!canMount)('a full disk leaves the service answering, with words', async () => {
  const disk = smallDisk(16);
  const { call } = await startCallableService(['--provider', 'simulation', '--data', disk.folder]);
  const monitor = { monitor_type: 'precipitation', callback_uri: 'http://127.0.0.1:9/x', geo: place };
  const createMonitor = () => call('POST', '/v2/monitors/', monitor);

  disk.fill(0);
  for (let lat = 0; lat < 20; lat += 1)
    expect((await call('GET', `/v2/weather/?location_lat=${lat}&location_lng=7`)).status).toBe(200);
  let answer = await createMonitor();
  // What little room the write-ahead log still had goes first.
  for (let count = 0; count < 200 && answer.status === 201; count += 1) answer = await createMonitor();
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('10');
  expect(answer.json).toEqual({
    error: 'temporarily_unavailable',
    error_description: 'The service cannot store data at the moment: the disk is full. Try again later.',
  });

  disk.makeRoom();
  expect((await createMonitor()).status).toBe(201);
});
