// Which bytes of a connection are taken as the head of a request, packet by packet.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { headLimits } from '#contract/app-rpc/callback-head.ts';
import { createHeadCapture, rebuildHead } from '#core/receiver/requests/head-capture.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

type Sent = { url?: string; method?: string; httpVersion?: string; headers?: Record<string, string> };

function start() {
  const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
  const capture = createHeadCapture(clock);
  const connect = () => {
    const socket = new Socket();
    capture.watch(socket);
    return {
      close: () => void socket.emit('close'),
      receive: (text: string) => void socket.emit('data', Buffer.from(text, 'latin1')),
      take({ url = '/a', method = 'POST', httpVersion = '1.1', headers = {} }: Sent = {}) {
        const request = Object.assign(new IncomingMessage(socket), { url, method, httpVersion, headers });
        const head = capture.take(request)?.toString('latin1');
        return { head, end: () => void (request.complete = true) };
      },
    };
  };
  return { clock, connect };
}

const headOf = (url = '/a', more = '') => `POST ${url} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

test('takes the head and leaves the body', () => {
  const { receive, take } = start().connect();
  const body = { headers: { 'content-length': '6' } };
  receive(`${headOf()}abc`);
  expect(take(body).head).toBe(headOf());
  // The rest of this body, and all of the next one behind its head.
  receive(`def${headOf('/b')}`);
  expect(take({ url: '/b' }).head).toBe(headOf('/b'));
  receive(`${headOf('/c')}${headOf('/d')}`);
  expect([take({ url: '/c' }).head, take({ url: '/d' }).head]).toEqual([headOf('/c'), headOf('/d')]);
});

test('takes a head that comes in pieces', () => {
  const { receive, take } = start().connect();
  const head = headOf('/a', 'X: \xfc\r\n');
  for (const piece of [head.slice(0, 3), head.slice(3, 20), `${head.slice(20)}a`]) receive(piece);
  expect(take({ headers: { 'content-length': '1' } }).head).toBe(head);
});

test.each([
  ['a chunked body', { 'transfer-encoding': 'chunked', 'content-length': '1' }],
  ['a body of any length', { 'transfer-encoding': 'gzip' }],
])('goes on behind the end of %s', (_, headers) => {
  const { receive, take } = start().connect();
  receive(`${headOf()}5\r\nabcde`);
  const { head, end } = take({ headers });
  expect(head).toBe(headOf());
  receive('\r\n0\r\n\r\n');
  end();
  receive(headOf('/b'));
  expect(take({ url: '/b' }).head).toBe(headOf('/b'));
});

test.each<[string, Sent]>([
  ['method', { method: 'PUT' }],
  ['path', { url: '/b' }],
  ['version', { httpVersion: '1.0' }],
])('takes nothing that has another %s, and goes on behind it', (_, sent) => {
  const { receive, take } = start().connect();
  receive(headOf());
  const { head, end } = take(sent);
  expect(head).toBeUndefined();
  receive('its body');
  end();
  receive(headOf('/c'));
  expect(take({ url: '/c' }).head).toBe(headOf('/c'));
});

test('takes nothing without an end', () => {
  const { receive, take } = start().connect();
  receive('POST /a HTTP/1.1');
  expect(take().head).toBeUndefined();
});

test('takes heads of up to 16 KB', () => {
  const { receive, take } = start().connect();
  const long = (bytes: number) => headOf('/a', `X: ${'x'.repeat(bytes - headOf('/a', 'X: \r\n').length)}\r\n`);
  receive(long(headLimits.bytes + 1) + long(headLimits.bytes));
  expect([take().head, take().head?.length]).toEqual([undefined, headLimits.bytes]);
});

test('takes 50 heads in a second of the wall clock', () => {
  const { clock, connect } = start();
  const { receive, take } = connect();
  const takeOne = () => {
    receive(headOf());
    const { head, end } = take();
    end();
    return head !== undefined;
  };
  clock.advance(999);
  expect(Array.from({ length: 51 }, takeOne).indexOf(false)).toBe(50);
  clock.advance(1);
  expect(Array.from({ length: 51 }, takeOne).indexOf(false)).toBe(50);
  clock.advance(999);
  expect(takeOne()).toBe(false);
});

test('reads four connections at a time', () => {
  const { connect } = start();
  const connections = Array.from({ length: 5 }, connect);
  const takeAll = (given: readonly ReturnType<typeof connect>[]) =>
    given.map(({ receive, take }) => {
      receive(headOf());
      return take().head !== undefined;
    });
  expect(takeAll(connections)).toEqual([true, true, true, true, false]);
  connections[0]?.close();
  expect(takeAll([connect(), connect()])).toEqual([true, false]);
});

test('writes a head as it is usually written', () => {
  const rawHeaders = ['Host', 'a', 'X', '\xfc', 'odd'];
  const head = rebuildHead({ method: 'POST', target: '/\xe9', httpVersion: '1.1', rawHeaders });
  expect(head.toString('latin1')).toBe('POST /\xe9 HTTP/1.1\r\nHost: a\r\nX: \xfc\r\n\r\n');
});
