// How a response ends, for each state of its connection, and what is sent at which time.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import {
  receivedResponse,
  type RecordedOutcome,
  type ResponsePlanned,
} from '#core/receiver/responses/response-outcome.ts';
import { createResponseRecorder } from '#core/receiver/responses/response-recorder.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

function start({ isDropped = false } = {}) {
  const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
  const recorded: RecordedOutcome[] = [];
  const heads: (string | undefined)[][] = [];
  const recorder = createResponseRecorder({
    clock,
    record: (outcome) => void recorded.push(outcome),
    isDropped: () => isDropped,
    onHeld: () => {},
  });
  /** Responds over a connection that has sent 100 bytes before. */
  const respond = (planned: ResponsePlanned, { isQueued = false, shouldKeepAlive = true } = {}) => {
    const socket = new Socket();
    for (const [name, value] of Object.entries({ bytesWritten: 100, errored: null, readableEnded: false }))
      Object.defineProperty(socket, name, { value, writable: true });
    const request = Object.assign(new IncomingMessage(socket), { method: 'POST', url: '/' });
    const response = Object.assign(new ServerResponse(request), {
      shouldKeepAlive,
      socket: isQueued ? null : socket,
      writeHead: (_: number, head: string[]) => void heads.push(head),
      end: () => {},
    });
    recorder.respond({ request, response, callbackId: recorded.length + 1, receivedAt: clock.now() }, planned);
    return { response, socket };
  };
  return { clock, heads, recorded, respond };
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

test('does not count the bytes of a response that waits for an earlier one', () => {
  const { recorded, respond } = start();
  const { response, socket } = respond(receivedResponse, { isQueued: true });
  Object.assign(socket, { readableEnded: true, bytesWritten: 130 });
  socket.emit('close');
  response.emit('close');
  expect(recorded).toMatchObject([{ kind: 'closed', bytesSent: null }]);
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
