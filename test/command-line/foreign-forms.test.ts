// `rainbell monitors` with a service that stores everything in its own form, and with files that other programs wrote.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFakeService } from '#test/core/fake-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { runRainbell } from './rainbell-process.ts';

type Wire = { id: string; monitor_type: string; callback_uri: string; geo: { type: 'Point'; coordinates: number[] } };

/** As pydantic's HttpUrl, a database with 32-bit numbers, and one with five decimals store them. */
async function startNormalizing() {
  const stored: Wire[] = [];
  const service = await startFakeService({
    'GET /v2/monitors/': () => ({ body: { objects: stored, meta: {} } }),
    'POST /v2/monitors/': ({ body }) => {
      const { callback_uri, geo } = JSON.parse(body) as { callback_uri: string; geo: { lat: number; lng: number } };
      const number = stored.length + 1;
      const round = number % 2 === 0 ? Math.fround : (value: number) => Number(value.toFixed(5));
      const coordinates = [round(geo.lng), round(geo.lat)];
      const monitor = { monitor_type: 'precipitation', callback_uri: new URL(callback_uri).href };
      stored.push({ id: `precipitation_${number}`, ...monitor, geo: { type: 'Point', coordinates } });
      return { status: 201, body: stored.at(-1) };
    },
    'GET /v2/delivery/': () => ({ status: 404 }),
  });
  return { service, stored };
}

test('what a service stores in its own form is neither created twice nor deleted', async () => {
  const { service, stored } = await startNormalizing();
  const folder = temporaryFolder();
  const [file, csv] = [join(folder, 'monitors.json'), join(folder, 'monitors.csv')];
  const monitors = [
    { geo: { lat: 45.0703123456, lng: 7.6868567891 }, callback_uri: 'https://hooks.example.com' },
    { geo: { lat: -33.8688197, lng: 151.2092955 }, callback_uri: 'HTTPS://Hooks.example.com:443/Zürich a' },
  ];
  await writeFile(file, Buffer.from(`\uFEFF${JSON.stringify({ monitors })}`));
  const rows = monitors.map(({ geo, callback_uri }) => `${geo.lat},${geo.lng},${callback_uri}\r\n`);
  await writeFile(csv, `sep=,\r\nlat,lng,callback_uri\r\n${rows.join('')}`);
  const run = (...args: string[]) =>
    runRainbell(['monitors', ...args, '--base-url', service.baseUrl, '--client-id', 'client1', '--data', folder], {
      environment: { RAINBELL_CLIENT_SECRET: ' tops3cret\n' },
    });
  expect(await run('apply', file, '--json')).toMatchObject({ code: 1, words: '' });
  expect(stored).toHaveLength(2);
  for (const command of [
    ['apply', file],
    ['apply', file, '--prune'],
    ['plan', file, '--prune'],
  ])
    expect(await run(...command)).toMatchObject({ code: 0, out: '', words: expect.stringContaining('2 unchanged') });
  expect(await run('import', csv)).toMatchObject({ code: 0, words: expect.stringContaining('0 created, 2 skipped') });
  expect(stored).toHaveLength(2);
  const [request] = service.requestsTo('POST /token/');
  expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('client1:tops3cret').toString('base64')}`);
});

test('a file in UTF-16 is read, and one in another encoding is refused with what to do', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'monitors.csv');
  const run = () => runRainbell(['monitors', 'import', file, '--dry-run', '--data', folder]);
  const text = 'name,lat,lng\r\nZürich Höngg,47.4,8.5\r\n';
  await writeFile(file, Buffer.from(`\uFEFF${text}`, 'utf16le'));
  expect(await run()).toMatchObject({ code: 0, out: 'line 2: create  Zürich Höngg, 47.4, 8.5\n' });
  await writeFile(file, Buffer.from(text, 'latin1'));
  expect(await run()).toMatchObject({
    code: 2,
    out: '',
    words: `error: ${file} is neither UTF-8 nor UTF-16 text. Save it as UTF-8 and try again.\n`,
  });
});
