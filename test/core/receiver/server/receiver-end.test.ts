// What the receiver writes before it ends, and what it leaves behind.
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openRaw } from '#test/core/raw-http.ts';
import { startRunning } from './running-receiver.ts';

type Running = Awaited<ReturnType<typeof startRunning>>;
const noHost = 'POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n';

/** One more than has a row at once. */
async function sendRefused({ port }: Running) {
  await Promise.all(Array.from({ length: 51 }, () => openRaw(port, noHost).answer));
}

test('stores what waits before it ends', async () => {
  const running = await startRunning();
  await running.post();
  await running.close();
  expect(running.pages.get(1)?.outcome.kind).toBe('answered');
  await expect(running.post()).rejects.toThrow('fetch failed');
});

test('counts refused requests a second later, and shows that', async () => {
  const running = await startRunning();
  await sendRefused(running);
  expect([running.pages.get(50)?.refusal?.count, running.reported('outcomes')]).toEqual([1, []]);
  running.clock.advance(1000);
  expect([running.pages.get(50)?.refusal?.count, running.reported('outcomes').length]).toEqual([2, 1]);
});

test('loses the count of refused requests that cannot be written', async () => {
  const running = await startRunning();
  await sendRefused(running);
  running.db.exec('ALTER TABLE callbacks RENAME TO hidden');
  running.clock.advance(1000);
  expect(running.reported('outcomes')).toEqual([]);
});

test('counts refused requests before it ends', async () => {
  const running = await startRunning();
  await sendRefused(running);
  await running.close();
  expect(running.pages.get(50)?.refusal?.count).toBe(2);
});

test('stores a row for a request that its end breaks off', async () => {
  const running = await startRunning();
  openRaw(running.port, 'POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
  // The first bytes arrive before another request is answered.
  await running.post('/other');
  await running.close();
  expect(running.pages.get(2)).toMatchObject({ target: '/half', refusal: { reason: 'unfinished', count: 1 } });
});

test('does nothing after its end', async () => {
  const running = await startRunning();
  await running.post();
  await running.post();
  running.reported('changed');
  await running.close();
  running.reported('outcomes');
  running.clock.advance(60_000);
  await setImmediate();
  expect([running.reported('changed'), running.reported('outcomes')]).toEqual([[], []]);
});

test.runIf(existsSync('/proc/self/fd'))('leaves no file open', async () => {
  const running = await startRunning();
  await running.post('/', 'x'.repeat(20_000));
  expect(running.pages.get(1)?.body.toString()).toBe('x'.repeat(20_000));
  const openFiles = () =>
    readdirSync('/proc/self/fd').flatMap((name) => {
      try {
        return readlinkSync(join('/proc/self/fd', name));
      } catch {
        // The one that reads the folder.
        return [];
      }
    });
  /** How many of its files are open with such an ending. */
  const countOpen = (ending: string) =>
    openFiles().filter((file) => file.startsWith(running.file) && file.endsWith(ending)).length;
  // The test has a connection of its own.
  expect([countOpen('.bodies'), countOpen('-wal')]).toEqual([1, 2]);
  await running.close();
  expect([countOpen('.bodies'), countOpen('-wal')]).toEqual([0, 1]);
});
