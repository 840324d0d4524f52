// Interim `100 Continue` heads in a connection's input, cut at any place (RFC 9110, section 15.2).
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { skipContinue } from '#service/monitors/delivery/callback-route.ts';

const go = 'HTTP/1.1 100 Continue\r\n\r\n';
const ok = 'HTTP/1.1 200 OK\r\n\r\n';

/** What is read from a connection that gets these pieces, one after another. */
function readAll(...pieces: string[]): (string | null)[] {
  const waiting = pieces.map((piece) => Buffer.from(piece, 'latin1'));
  const socket = { read: () => waiting.shift() ?? null } as unknown as Socket;
  skipContinue(socket);
  const read: (string | null)[] = [];
  do read.push((socket.read() as Buffer | null)?.toString('latin1') ?? null);
  while (waiting.length > 0);
  return read;
}

const longHead = (length: number) => `HTTP/1.1 100 Continue\r\nX: ${'y'.repeat(length - 26)}`;

describe('the input of a connection', () => {
  it.each([
    ['is unchanged without an interim head', [ok, 'body'], [ok, 'body']],
    ['may be empty', [], [null]],
    ['has the response after an interim head', [go + ok], [ok]],
    ['has the response after two of them', [go + go + ok], [ok]],
    ['has the response of the next piece', [go, ok], [ok]],
    ['waits after an interim head', [go], [null]],
    ['waits for the rest of an interim head', ['HTTP/1.1 1'], [null]],
    ['joins a head that was cut in its first line', ['HTTP/1.1 1', `00 Continue\r\n\r\n${ok}`], [ok]],
    ['joins a head that was cut at its end', ['HTTP/1.1 100 Continue\r\nX: y\r', `\n\r\n${ok}`], [ok]],
    ['joins a head of three pieces', ['HT', 'TP/1.1 100 Continue\r\n', `\r\n${ok}`], [ok]],
    ['joins a head that turns out to be another', ['HTTP/1.1 ', '200 OK\r\n\r\n'], [ok]],
    ['keeps other interim heads', ['HTTP/1.1 103 Early Hints\r\n\r\n'], ['HTTP/1.1 103 Early Hints\r\n\r\n']],
    ['keeps a body that contains such a head', [`x${go}`], [`x${go}`]],
    ['has what follows a joined head, and later pieces', ['HTTP/1.1 100', '\r\n\r\nrest', 'body'], ['rest', 'body']],
    ['waits for a head of less than 4 KB', [longHead(4_095)], [null]],
    ['has a longer head as it is', [longHead(4_096)], [longHead(4_096)]],
  ])('%s', (_what, pieces, expected) => {
    expect(readAll(...pieces)).toEqual(expected);
  });

  it('is read with the requested size', () => {
    const sizes: (number | undefined)[] = [];
    const socket = {
      read(size?: number) {
        sizes.push(size);
        return null;
      },
    } as unknown as Socket;
    skipContinue(socket);
    socket.read(7);
    socket.read();
    expect(sizes).toEqual([7, undefined]);
  });
});
