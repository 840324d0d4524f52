// A disk without room: what was acknowledged stays, what cannot be stored is refused with a message, and everything continues as soon as
// there is room again.
import { expect, onTestFinished, test } from 'vitest';
import { openAppSession } from '#test/setup/app-client.ts';
import { startAppProcess } from '#test/stories/app-process.ts';
import { fetchAccessToken, startServiceProcess } from '#test/stories/service-process.ts';
import { listeningReceiver } from './listening-receiver.ts';
import { canMount, smallDisk } from './small-disk.ts';

const sixtyKilobytes = 'x'.repeat(60_000);
const place = { lat: 45.07, lng: 7.69 };

function sendCallback(receiver: string): Promise<Response> {
  return fetch(`${receiver}/hook`, { method: 'POST', body: sixtyKilobytes });
}

test.skipIf(!canMount)('a full disk costs the app no callback that it acknowledged', async () => {
  const disk = smallDisk(24);
  const app = await startAppProcess(disk.folder);
  onTestFinished(async () => void (await app.stop()));
  const { client, disconnect } = await openAppSession(app.url);
  onTestFinished(disconnect);
  const receiver = await listeningReceiver(client);
  await client.forecast.get(place);

  disk.fill(2_000_000);
  const answers: number[] = [];
  // Each callback takes its bytes from the disk, so this ends.
  while (answers.length < 100 && answers.at(-1) !== 503) answers.push((await sendCallback(receiver)).status);
  expect(answers.at(-1)).toBe(503);
  const acknowledged = answers.filter((status) => status === 200).length;
  const refused = await sendCallback(receiver);
  expect(refused.headers.get('retry-after')).toBe('10');
  expect(await refused.text()).toContain('could not be stored');
  expect((await client.app.status()).receiver.notice).toContain('could not be stored: the disk is full');
  expect((await client.callbacks.list({ limit: 500 })).items).toHaveLength(acknowledged);

  // What needs no room still works; what needs it says why it does not.
  expect((await client.forecast.get({ lat: -33.9, lng: 18.4 })).points.length).toBeGreaterThan(70);
  await expect(client.settings.update({ theme: 'dark' })).rejects.toThrow(/could not be written .*no space left/);

  disk.makeRoom();
  expect((await sendCallback(receiver)).status).toBe(200);
  expect((await client.callbacks.list({ limit: 500 })).items).toHaveLength(acknowledged + 1);
  expect((await client.app.status()).receiver.notice ?? '').not.toContain('could not be stored');
  await client.settings.update({ theme: 'dark' });
});

test.skipIf(!canMount)('a full disk leaves the service answering, with words', async () => {
  const disk = smallDisk(16);
  const service = await startServiceProcess(['--provider', 'simulation', '--data', disk.folder]);
  onTestFinished(async () => void (await service.stop()));
  const { baseUrl } = service.introduction;
  const authorization = `Bearer ${await fetchAccessToken(service.introduction)}`;
  const weather = (lat: number) =>
    fetch(`${baseUrl}/v2/weather/?location_lat=${lat}&location_lng=7`, { headers: { authorization } });
  const createMonitor = () =>
    fetch(`${baseUrl}/v2/monitors/`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ monitor_type: 'precipitation', callback_uri: 'http://127.0.0.1:9/x', geo: place }),
    });

  disk.fill(0);
  for (let lat = 0; lat < 20; lat += 1) expect((await weather(lat)).status).toBe(200);
  let answer = await createMonitor();
  // What little room the write-ahead log still had goes first.
  for (let count = 0; count < 200 && answer.status === 201; count += 1) answer = await createMonitor();
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('10');
  expect(await answer.json()).toEqual({
    error: 'temporarily_unavailable',
    error_description: 'The service cannot store data at the moment: the disk is full. Try again later.',
  });

  disk.makeRoom();
  expect((await createMonitor()).status).toBe(201);
});
