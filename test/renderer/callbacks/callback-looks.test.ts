// The states of the callbacks screen, laid out soundly in small and wide windows: nothing yet, outcomes and refusals, bodies that are odd,
// a long path.
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import { layoutProblems } from '../layout-problems.ts';
import { openScreens } from '../screen-harness.ts';

const sizes = [
  [1920, 1080],
  [1440, 900],
  [1024, 768],
  [640, 800],
  [853, 533],
] as const;

const monitor = {
  id: 'precipitation_1',
  monitor_type: 'precipitation',
  callback_uri: 'http://127.0.0.1/hooks/rain',
  geo: { type: 'Point', coordinates: [7.6869, 45.0703] },
};

/** Ends when the receiver closes the connection, or after the request if the client gives up. */
function sendRaw(port: number, bytes: string | Buffer, givesUp = false): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      if (givesUp) setTimeout(() => socket.destroy(), 50);
    });
    socket.on('error', () => {});
    socket.on('data', () => socket.end());
    socket.on('close', () => resolve());
  });
}

async function fill(base: string): Promise<void> {
  const port = Number(new URL(base).port);
  const post = (path: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${base}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  await post('/hooks/rain', JSON.stringify(monitor));
  await post('/hooks/gzip', gzipSync(JSON.stringify({ ...monitor, id: 'precipitation_2' })), {
    'content-encoding': 'gzip',
  });
  await post('/hooks/broken-gzip', gzipSync(JSON.stringify(monitor)).subarray(0, 40), { 'content-encoding': 'gzip' });
  await post('/hooks/bytes', Buffer.from([0xff, 0xfe, 0, 1, 2]), { 'content-type': 'application/octet-stream' });
  await post('/hooks/none', '');
  await post(
    `/hooks/${'a-very-long-path/'.repeat(12)}?name=${'ü'.repeat(40)}`,
    JSON.stringify({ ...monitor, id: 'x'.repeat(200) }),
  );
  await sendRaw(port, `POST /long HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
  await sendRaw(port, Buffer.from('16030100c8010000c40303', 'hex'));
  await sendRaw(port, 'POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf', true);
}

/** The callback that is opened, by its path or reason. */
const looks: Readonly<Record<string, RegExp | null>> = {
  'nothing chosen': null,
  'an event': /\/hooks\/rain/,
  'an encoded body': /\/hooks\/gzip/,
  'a broken encoding': /\/hooks\/broken-gzip/,
  'bytes that are not text': /\/hooks\/bytes/,
  'an empty body': /\/hooks\/none/,
  'a long path and ID': /a-very-long-path/,
  'a refused request': /Head too long|too long|Header/i,
};

async function expectSound(page: Page, name: string, found: Record<string, readonly string[]>): Promise<void> {
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (let frame = 0; frame < 4; frame += 1)
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(undefined))));
    const problems = await layoutProblems(page);
    if (problems.length > 0) found[`${name} at ${width}x${height}`] = problems;
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

it('the callbacks are laid out soundly in every state', async () => {
  const { page, receiverUrl } = await openScreens({
    hash: '#/callbacks',
    routes: { 'GET /v2/monitors/': () => ({ body: { objects: [monitor], meta: {} } }) },
  });
  onTestFinished(() => page.setViewportSize({ width: 1280, height: 900 }));
  const base = await receiverUrl();
  const found: Record<string, readonly string[]> = {};
  await page.getByRole('heading', { name: 'No callbacks yet' }).waitFor();
  await expectSound(page, 'nothing yet', found);
  await fill(base);
  const rows = page.getByRole('option');
  await expect.poll(() => rows.count()).toBe(9);
  for (const [name, wanted] of Object.entries(looks)) {
    if (wanted) {
      await rows.filter({ hasText: wanted }).first().click();
      await page.getByRole('button', { name: 'More actions' }).waitFor();
    }
    await expectSound(page, name, found);
  }
  expect(found).toEqual({});
});
