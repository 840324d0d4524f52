// What is sent as a response, and what is recorded of it, over real connections. The clock is the test's.
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  receivedResponse,
  type RecordedOutcome,
  type ResponsePlanned,
} from '#core/receiver/responses/response-outcome.ts';
import { createResponseRecorder } from '#core/receiver/responses/response-recorder.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { openRaw } from '#test/core/raw-http.ts';
import { listen } from '#test/setup/listen.ts';

const startMs = Date.parse('2026-11-21T12:00:00Z');
const text: ResponsePlanned = {
  ...receivedResponse,
  status: 202,
  headers: [['X-A', 'b']],
  body: 'grün',
  rule: 'r',
  step: 1,
};
const slow: ResponsePlanned = { ...text, delayMs: 5000 };
const hold: ResponsePlanned = { ...text, status: 504, body: 'late', delayMs: 60_000, isHeld: true };

async function start(planned: ResponsePlanned, mustClose?: boolean) {
  const clock = createManualClock(startMs);
  const recorded: RecordedOutcome[] = [];
  const sockets: Socket[] = [];
  const state = { isDropped: false, heldChanges: 0, requests: 0 };
  let arrived = () => {};
  const recorder = createResponseRecorder({
    clock,
    record: (outcome) => void recorded.push(outcome),
    isDropped: () => state.isDropped,
    onHeld: () => void (state.heldChanges += 1),
  });
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      state.requests += 1;
      sockets.push(request.socket);
      // The recorder has it when this turn ends.
      queueMicrotask(() => arrived());
      const stored = { request, response, callbackId: state.requests, receivedAt: clock.now() - 100 };
      recorder.respond(stored, planned, mustClose);
    });
  });
  const port = await listen(server);
  /** Sends a request and waits until it is with the recorder. */
  const send = async (path = '/', method = 'POST', connection = 'close') => {
    const { promise, resolve } = Promise.withResolvers<void>();
    arrived = resolve;
    const raw = openRaw(port, `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`);
    await promise;
    return raw;
  };
  const settled = async () => {
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  };
  return { clock, recorded, recorder, send, settled, sockets, state };
}

// Status line 23, X-A 8, content-length 19, Date 37, Connection: close 19, blank line 2.
const headBytes = 23 + 8 + 19 + 37 + 19 + 2;

test.each([
  ['POST', 'close', headBytes + 5, /\r\n\r\ngr/],
  ['HEAD', 'close', headBytes, /\r\n\r\n$/],
])('sends a response to %s, and counts its bytes', async (method, connection, bytesSent, end) => {
  const { recorded, send } = await start(text);
  const { answer } = await send('/', method, connection);
  const sent = await answer;
  expect(sent).toMatch(
    /^HTTP\/1\.1 202 Accepted\r\nX-A: b\r\ncontent-length: 5\r\nDate: Sat, 21 Nov 2026 12:00:00 GMT\r\n/,
  );
  expect(sent).toMatch(end);
  expect(sent).toHaveLength(bytesSent);
  expect(recorded).toEqual([
    {
      callbackId: 1,
      kind: 'answered',
      planned: text,
      startedAfterMs: 100,
      endedAfterMs: 100,
      bytesSent,
      isKeptAlive: false,
    },
  ]);
});

test('keeps a connection open, unless it must be closed', async () => {
  const open = await start(receivedResponse);
  const raw = await open.send('/', 'POST', 'keep-alive');
  await expect.poll(() => open.recorded).toMatchObject([{ isKeptAlive: true, bytesSent: 122 }]);
  raw.socket.end();
  expect(await raw.answer).toMatch(/Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n$/);
  const closed = await start(receivedResponse, true);
  expect(await (await closed.send('/', 'POST', 'keep-alive')).answer).toMatch(/Connection: close\r\n\r\n$/);
  expect(closed.recorded).toMatchObject([{ isKeptAlive: false, bytesSent: 94 }]);
});

test.each([
  ['closed', 'end', false, 'closed'],
  ['reset', 'resetAndDestroy', false, 'reset'],
  ['dropped by the receiver', 'resetAndDestroy', true, 'dropped'],
] as const)('records once that the connection was %s first', async (_, end, isDropped, kind) => {
  const { clock, recorded, recorder, send, state } = await start(slow);
  const { socket } = await send();
  state.isDropped = isDropped;
  socket[end]();
  await expect.poll(() => recorded).toMatchObject([{ kind, startedAfterMs: null, endedAfterMs: 100, bytesSent: 0 }]);
  clock.advance(5000);
  recorder.endAll();
  expect(recorded).toHaveLength(1);
});

test('records what is not finished when the receiver ends', async () => {
  const { recorded, recorder, send } = await start(slow);
  await send();
  recorder.endAll();
  recorder.endAll();
  expect(recorded).toMatchObject([{ kind: 'dropped', callbackId: 1 }]);
});

test('holds a request until the user responds', async () => {
  const { clock, recorded, recorder, send, state } = await start(hold);
  const path = `/${'x'.repeat(600)}`;
  const { answer } = await send(path);
  expect(recorder.held()).toEqual([
    {
      callbackId: 1,
      receivedAt: '2026-11-21T11:59:59.900Z',
      until: '2026-11-21T12:01:00.000Z',
      method: 'POST',
      target: path.slice(0, 500),
      rule: 'r',
    },
  ]);
  const response = { status: 418, headers: [['X-B', 'c']] as [string, string][], body: 'tea' };
  expect(recorder.respondToHeld(2, response)).toBe(false);
  clock.advance(7000);
  expect(recorder.respondToHeld(1, response)).toBe(true);
  expect([recorder.held(), recorder.respondToHeld(1, response)]).toEqual([[], false]);
  expect(await answer).toMatch(/^HTTP\/1\.1 418 [^]*X-B: c\r\n[^]*tea$/);
  const { headers, ...rest } = recorded[0]?.planned ?? text;
  expect([headers, rest]).toEqual([
    [['X-B', 'c']],
    { action: 'answer', status: 418, body: 'tea', delayMs: 0, rule: 'r', step: 1, isByHand: true, isUnplanned: true },
  ]);
  expect([recorded[0]?.startedAfterMs, state.heldChanges]).toEqual([7100, 2]);
  clock.advance(60_000);
  expect(recorded).toHaveLength(1);
});

test('records at once a request whose connection is gone', async () => {
  const { recorded, recorder, send, sockets } = await start(receivedResponse);
  await (
    await send()
  ).answer;
  const [socket] = sockets;
  await expect.poll(() => socket?.destroyed).toBe(true);
  recorded.length = 0;
  const request = { socket, method: 'POST' } as never;
  recorder.respond({ request, response: {} as never, callbackId: 9, receivedAt: startMs }, receivedResponse);
  expect(recorded).toMatchObject([{ callbackId: 9, startedAfterMs: null, endedAfterMs: 0, bytesSent: 0 }]);
});
