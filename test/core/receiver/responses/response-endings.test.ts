// How a response ends, for each state of its connection, and what is sent at which time.
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import {
  receivedResponse,
  type RecordedOutcome,
  type ResponsePlanned,
} from '#core/receiver/responses/response-outcome.ts';
import { createResponseRecorder } from '#core/receiver/responses/response-recorder.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const hold: ResponsePlanned = { ...receivedResponse, status: 504, delayMs: 60_000, isHeld: true };
const slow: ResponsePlanned = { ...receivedResponse, delayMs: 5000 };

function start({ isDropped = false } = {}) {
  const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
  const recorded: RecordedOutcome[] = [];
  const heads: (string | undefined)[][] = [];
  const ends: string[] = [];
  const recorder = createResponseRecorder({
    clock,
    record: (outcome) => void recorded.push(outcome),
    isDropped: () => isDropped,
    onHeld: () => {},
  });
  /** Responds over a connection that has sent 100 bytes before. */
  const respond = (planned: ResponsePlanned, { isQueued = false, shouldKeepAlive = true } = {}) => {
    const socket = Object.assign(new EventEmitter(), {
      destroyed: false,
      bytesWritten: 100,
      errored: null as Error | null,
      readableEnded: false,
      end: () => void ends.push('end'),
      resetAndDestroy: () => void ends.push('reset'),
    });
    const response = Object.assign(new EventEmitter(), {
      shouldKeepAlive,
      socket: isQueued ? null : socket,
      writableFinished: false,
      writeHead: (_: number, head: string[]) => void heads.push(head),
      end: () => {},
    });
    const request = { socket, method: 'POST', url: '/' };
    const stored = { request, response, callbackId: recorded.length + 1, receivedAt: clock.now() };
    recorder.respond(stored as never, planned);
    return { response, socket };
  };
  return { clock, ends, heads, recorded, recorder, respond };
}

const failure = (code?: string) => Object.assign(new Error('failed'), code === undefined ? {} : { code });

test.each([
  ['with a reset', { errored: failure('ECONNRESET') }, false, 'reset'],
  ['with a broken pipe', { errored: failure('EPIPE') }, false, 'reset'],
  ['with another failure', { errored: failure('ETIMEDOUT') }, false, 'dropped'],
  ['with a failure without a code', { errored: failure() }, false, 'dropped'],
  ['by its sender', { readableEnded: true }, false, 'closed'],
  ['by no one', {}, false, 'dropped'],
  ['with a reset, after the receiver had ended it', { errored: failure('ECONNRESET') }, true, 'dropped'],
  ['by its sender, after the receiver had ended it', { readableEnded: true }, true, 'dropped'],
])('a connection that ended %s', (_, changes, isDropped, kind) => {
  const { recorded, respond } = start({ isDropped });
  const { response, socket } = respond(receivedResponse);
  Object.assign(socket, changes, { bytesWritten: 130 });
  response.emit('close');
  expect(recorded).toMatchObject([{ kind, bytesSent: 30, startedAfterMs: 0 }]);
});

test('counts a response that was sent as a whole', () => {
  const { recorded, respond } = start({ isDropped: true });
  const { response, socket } = respond({ ...receivedResponse, body: 'grün' });
  // One for each response would add up.
  expect(socket.listenerCount('close')).toBe(0);
  response.writableFinished = true;
  response.emit('close');
  // Status line 17, content-length 19, Date 37, Connection 24, Keep-Alive 23, blank line 2; and the body.
  expect(recorded).toMatchObject([{ kind: 'answered', bytesSent: 122 + 5, isKeptAlive: true }]);
});

test('counts no bytes if none were sent', () => {
  const { recorded, respond } = start();
  const { response, socket } = respond(receivedResponse);
  socket.bytesWritten = 90;
  response.emit('close');
  expect(recorded).toMatchObject([{ kind: 'dropped', bytesSent: 0 }]);
});

test('does not count the bytes of a response that waits for an earlier one', () => {
  const { recorded, respond } = start();
  const { response, socket } = respond(receivedResponse, { isQueued: true });
  Object.assign(socket, { readableEnded: true, bytesWritten: 130 });
  socket.emit('close');
  response.emit('close');
  expect(recorded).toMatchObject([{ kind: 'closed', bytesSent: null }]);
});

test('sends nothing after the connection has ended', () => {
  const { clock, heads, recorded, respond } = start();
  for (const planned of [slow, hold]) respond(planned).response.emit('close');
  clock.advance(60_000);
  expect(heads).toEqual([]);
  expect(recorded).toMatchObject([
    { startedAfterMs: null, isKeptAlive: false },
    { startedAfterMs: null, isKeptAlive: false },
  ]);
});

test.each([
  ['close', 'end'],
  ['reset', 'reset'],
] as const)('sends nothing for the action %s', (action, end) => {
  const { ends, heads, recorded, respond } = start();
  respond({ ...receivedResponse, action, status: null }).response.emit('close');
  expect([ends, heads]).toEqual([[end], []]);
  expect(recorded).toMatchObject([{ kind: 'aborted', startedAfterMs: null, isKeptAlive: false }]);
});

test('sends one response to a held request', () => {
  const { clock, heads, recorder, respond } = start();
  respond(hold);
  expect(recorder.respondToHeld(1, { status: 200, headers: [], body: '' })).toBe(true);
  clock.advance(60_000);
  expect(heads).toHaveLength(1);
});

test('sends each response with its own headers, at its own time', () => {
  const { clock, heads, respond } = start();
  const [one, other] = ['1', '2'].map((value): ResponsePlanned => ({ ...receivedResponse, headers: [['a', value]] }));
  const sent = (planned = receivedResponse, shouldKeepAlive = true) => {
    respond(planned, { shouldKeepAlive });
    const head = heads.at(-1) ?? [];
    const valueOf = (name: string) => head[head.indexOf(name) + 1];
    return [valueOf('a'), valueOf('Date')?.slice(17, 25), valueOf('Connection')];
  };
  expect(sent(one)).toEqual(['1', '12:00:00', 'keep-alive']);
  expect(sent(other)).toEqual(['2', '12:00:00', 'keep-alive']);
  expect(sent(other, false)).toEqual(['2', '12:00:00', 'close']);
  clock.advance(500);
  expect(sent(other, false)).toEqual(['2', '12:00:00', 'close']);
  clock.advance(500);
  expect(sent(other, false)).toEqual(['2', '12:00:01', 'close']);
  expect(sent(one, false)).toEqual(['1', '12:00:01', 'close']);
});
