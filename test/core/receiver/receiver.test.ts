// The callback receiver over real sockets: what it keeps, what it answers, and how it resists hostile senders.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { freePort } from '#test/setup/free-ports.ts';
import { openRaw } from '../raw-http.ts';
import { startReceiver } from './receiver-harness.ts';
import { listen } from '#test/setup/listen.ts';

describe('the list of callbacks', () => {
  test('counts, and starts no id twice after a clear', async () => {
    const { baseUrl, pages, receiver, counts } = await startReceiver();
    const send = () => fetch(baseUrl, { method: 'POST' });
    await Promise.all([send(), send(), send()]);
    await receiver.call('clear');
    expect(pages.page({ beforeId: undefined, limit: 10 })).toEqual([]);
    await send();
    expect(pages.page({ beforeId: undefined, limit: 10 }).map((row) => row.id)).toEqual([4]);
    await expect.poll(() => counts.at(-1)).toEqual({ newestId: 4, total: 1 });
  });
});

describe('a port', () => {
  test('can be changed; a taken one is refused with a free one, and callbacks keep arriving at the current one', async () => {
    const taken = await listen(createServer());
    // A port of no other server, so that no one responds there after the move.
    const { receiver, baseUrl, pages } = await startReceiver({ port: await freePort() });
    await expect(receiver.move(taken)).rejects.toMatchObject({ code: 'PORT_TAKEN', details: { field: 'port' } });
    expect((await fetch(`${baseUrl}/still`, { method: 'POST' })).status).toBe(200);
    const target = await freePort();
    await receiver.move(target);
    expect((await fetch(`http://127.0.0.1:${target}/moved`, { method: 'POST' })).status).toBe(200);
    await expect(fetch(`${baseUrl}/old`, { method: 'POST' })).rejects.toThrow(/fetch failed/);
    expect(pages.page({ beforeId: undefined, limit: 10 }).map((row) => row.target)).toEqual(['/moved', '/still']);
  });
});

describe('a hostile sender', () => {
  test('with more slow connections than there are slots does not shut out an honest one', async () => {
    const { baseUrl, port, pages } = await startReceiver({ limits: { connections: 20 } });
    const slow = Array.from({ length: 60 }, (_, index) =>
      openRaw(port, `POST /slow HTTP/1.1\r\nHost: a\r\n${index % 2 ? 'Content-Length: 9\r\n\r\nslow' : 'X-Slow: '}`),
    );
    await Promise.all(slow.map(({ socket }) => new Promise((resolve) => socket.once('connect', resolve))));
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${baseUrl}/honest`, { method: 'POST' })));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200));
    // Slow ones leave rows of refused requests once their time is over, which it may be on a busy machine.
    const stored = pages.page({ beforeId: undefined, limit: 100 }).filter(({ refusal }) => refusal === null);
    expect(stored.map(({ target }) => target)).toEqual(Array(10).fill('/honest'));
  });

  test('that floods a slow disk gets 503 with Retry-After, and every acknowledged callback is stored', async () => {
    const { baseUrl, port, pages, folder } = await startReceiver({ limits: { waitingBytes: 1000, batchRows: 1 } });
    const senders = Array.from({ length: 60 }, () => openRaw(port, 'POST / HTTP/1.1\r\n'));
    await Promise.all(senders.map(({ socket }) => once(socket, 'connect')));
    // The receiver accepts in order: when it has answered this one, it has all the others.
    expect((await fetch(baseUrl, { method: 'POST' })).status).toBe(200);
    // A commit takes as long as another connection holds the database. Meanwhile all requests arrive.
    const disk = new DatabaseSync(join(folder, 'app.sqlite'));
    disk.exec('BEGIN IMMEDIATE');
    const rest = `Host: 127.0.0.1\r\nContent-Length: 900\r\nConnection: close\r\n\r\n${'x'.repeat(900)}`;
    await Promise.all(senders.map(({ socket }) => new Promise((resolve) => void socket.write(rest, resolve))));
    disk.exec('COMMIT');
    disk.close();
    const answers = await Promise.all(senders.map(({ answer }) => answer));
    const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503 '));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every((answer) => /\r\nretry-after: 1\r\n/i.test(answer))).toBe(true);
    const accepted = answers.filter((answer) => answer.startsWith('HTTP/1.1 200 '));
    const stored = pages.page({ beforeId: undefined, limit: 500 }).filter(({ refusal }) => refusal === null);
    expect(stored).toHaveLength(accepted.length + 1);
    expect(refused.length + accepted.length).toBe(60);
  });
});
