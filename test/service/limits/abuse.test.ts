// Clients that mean harm, or are merely broken (docs/attack.md, goal 14): honest requests are served all the while, and
// the slow ones are gone within the time limit.
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectionLimits } from '#shared/node/connection-limits.ts';
import { bindSocket, closeSocket } from '#service/http/server.ts';
import { eventually } from '#test/service/eventually.ts';
import { serveRoutes } from '#test/service/http/serve-routes.ts';

const limits = { ...connectionLimits, headersMs: 1_000, requestMs: 1_500, unfinishedRequests: 300 };

async function startServer() {
  const served = await serveRoutes(
    (server) => {
      server.get('/probe', async () => ({ fine: true }));
      server.post('/probe', async () => ({ fine: true }));
    },
    { limits },
  );
  onTestFinished(served.close);
  return served;
}

/** Opens `count` connections that send `beginning` and then nothing. */
async function openSlowOnes(port: number, count: number, beginning: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    socket.write(beginning);
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => void socket.once('connect', () => resolve()).once('close', () => resolve())),
    ),
  );
  return sockets;
}

const beginnings: [string, string][] = [
  ['say nothing', ''],
  ['never end their headers', 'GET /probe HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  [
    'never send their body',
    'POST /probe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  ],
];

describe('a thousand slow connections', () => {
  it.each(beginnings)('that %s do not disturb honest requests, and end within the limit', async (_name, beginning) => {
    const { port, baseUrl } = await startServer();
    const slow = await openSlowOnes(port, 1_000, beginning);
    const started = performance.now();
    for (let count = 0; count < 50; count += 1) {
      const [read, written] = await Promise.all([
        fetch(`${baseUrl}/probe`),
        fetch(`${baseUrl}/probe`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
      ]);
      expect([read.status, written.status]).toEqual([200, 200]);
      await Promise.all([read.text(), written.text()]);
    }
    // A burst may stay for a moment; each later connection closes the oldest.
    await eventually(async () => {
      await (await fetch(`${baseUrl}/probe`, { headers: { connection: 'close' } })).text();
      expect(slow.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(limits.unfinishedRequests);
    });
    await eventually(() => expect(slow.every((socket) => socket.closed)).toBe(true));
    expect(performance.now() - started).toBeLessThan(limits.requestMs + 10_000);
  });
});

describe('a request', () => {
  it('that fails on our side reveals nothing about it', async () => {
    const lines: string[] = [];
    const fail = async () => {
      throw new Error('the database password is geheim');
    };
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const { baseUrl, close } = await serveRoutes((server) => void server.get('/broken', fail), { log });
    onTestFinished(close);
    const answer = await fetch(`${baseUrl}/broken`);
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { error: 'server_error', error_description: expect.not.stringContaining('geheim') },
    ]);
    expect(lines.join('')).toContain('request failed');
  });

  it('that arrives before the service is ready gets Retry-After', async () => {
    const socket = await bindSocket('127.0.0.1', 0, undefined);
    onTestFinished(() => closeSocket(socket, 100));
    const answer = await fetch(socket.baseUrl);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  });
});
