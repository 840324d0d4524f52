// The whole of it: the running app with its service, and the command line beside it, as a script in a CI job uses it.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openAppSession } from '#test/setup/app-client.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startAppProcess } from '#test/stories/app-process.ts';
import { runRainbell, startRainbell } from './rainbell-process.ts';
import { listen } from '#test/setup/listen.ts';

test('a monitor created while the app runs fires in the app’s sandbox, and wait returns its callback', async () => {
  const folder = temporaryFolder();
  // Another program has it, so the app takes the next one.
  const receiverPort = await listen(createServer());
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ receiverPort }));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Rainbell</title>');
  vi.stubEnv('RAINBELL_SCREENS', folder);
  vi.stubEnv('RAINBELL_PROVIDER', 'simulation');
  const app = await startAppProcess(folder);
  onTestFinished(async () => void (await app.stop()));
  const { client, disconnect } = await openAppSession(app.url);
  onTestFinished(disconnect);
  await vi.waitFor(async () => expect((await client.app.status()).connection.state).toBe('ready'), 20_000);

  const created = await runRainbell(['monitors', 'create', '45.0703', '7.6869', '--json', '--data', folder]);
  // Not a word of a service of its own.
  expect(created).toMatchObject({ code: 0, words: '' });
  const monitor = JSON.parse(created.out) as { id: string; callbackUri: string };
  const { origin, port } = new URL(monitor.callbackUri);
  expect(origin).toBe((await client.app.status()).receiver.baseUrl);
  expect(port).not.toBe(String(receiverPort));

  const waiting = startRainbell(['wait', '--monitor', monitor.id, '--timeout', '30', '--json', '--data', folder]);
  await waiting.says(/shows the callbacks stored there/);
  await client.sandbox.addScenario({ center: { lat: 45.0703, lng: 7.6869 }, minutes: 60 });
  const { code, out } = await waiting.ended;
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    monitorId: monitor.id,
    method: 'POST',
    target: new URL(monitor.callbackUri).pathname,
  });

  const forecast = await runRainbell(['forecast', '45.0703', '7.6869', '--json', '--data', folder]);
  const answer = JSON.parse(forecast.out) as { points: { status: string }[] };
  expect(Object.keys(answer)).toEqual(['query', 'timeZone', 'fetchedAt', 'points', 'problems']);
  // The rain that was made exists in the app's service alone.
  expect(answer.points).toHaveLength(73);
  expect(answer.points[0]?.status).toContain('rain');

  expect(await runRainbell(['monitors', 'delete', monitor.id, '--data', folder])).toMatchObject({
    code: 0,
    words: '',
  });
  // Names are in the app's database, which the app has open.
  const file = join(folder, 'sites.csv');
  writeFileSync(file, 'lat,lng,callback_uri,name\n1,2,http://127.0.0.1:9/x,Pier\n');
  const imported = await runRainbell(['monitors', 'import', file, '--json', '--data', folder]);
  expect(imported.code).toBe(0);
  const { out: exported } = await runRainbell(['monitors', 'export', '--json', '--data', folder]);
  expect(JSON.parse(exported)).toMatchObject({ monitors: [{ name: 'Pier' }] });
});
