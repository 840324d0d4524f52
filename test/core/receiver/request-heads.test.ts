// The bytes of request heads, compared with what was written to the socket.
import { describe, expect, test } from 'vitest';
import { headLimits } from '#contract/app-rpc/callback-head.ts';
import { openRaw } from '../raw-http.ts';
import { startReceiver, type ReceiverHarness } from './receiver-harness.ts';

const headsOf = ({ pages }: Pick<ReceiverHarness, 'pages'>) =>
  [...pages.rows({}, 'oldestFirst')].map((row) => {
    const head = row.head();
    return { text: Buffer.from(head?.base64 ?? '', 'base64').toString('latin1'), isExact: head?.isExact };
  });

/** Sent one after the other over one connection, each after the last one's response. */
async function sendInTurn(harness: ReceiverHarness, ...parts: string[]): Promise<string> {
  const { socket, answer } = openRaw(harness.port, '');
  for (const [index, part] of parts.entries()) {
    socket.write(Buffer.from(part, 'latin1'));
    await expect.poll(() => headsOf(harness).length).toBe(index + 1);
  }
  socket.end();
  return answer;
}

test('the cookies of our own website are not in a callback, whose head is then not the sender’s', async () => {
  const harness = await startReceiver();
  const send = (cookie: string) => fetch(harness.baseUrl, { method: 'POST', headers: { cookie } });
  await send('a=1; rainbell_session_8420=secret; b=2; __Host-rainbell_session_https=secret');
  await send('rainbell_session_8420=secret');
  const rows = [...harness.pages.rows({}, 'oldestFirst')];
  expect(rows.map(({ headers }) => headers.filter(([name]) => name.toLowerCase() === 'cookie'))).toEqual([
    [['cookie', 'a=1; b=2']],
    [],
  ]);
  expect(headsOf(harness).filter(({ text }) => text.includes('secret'))).toEqual([]);
});

describe('the head of a callback', () => {
  test('is kept to the byte: spaces, case, Latin-1, empty values, and lines before it', async () => {
    const harness = await startReceiver();
    const odd =
      '\r\nPOST /a HTTP/1.1\r\nhOST:a\r\nX-Dup:   three  \r\nX-Empty:\r\nX-Name:\tcaf\xe9\r\nContent-Length: 3\r\n\r\n';
    const usual = 'POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n';
    await sendInTurn(harness, `${odd}one`, usual, `${odd}two`);
    expect(headsOf(harness)).toEqual([odd, usual, odd].map((text) => ({ text, isExact: true })));
    expect(harness.db.prepare('SELECT id FROM callbacks WHERE head IS NULL').all()).toEqual([{ id: 2 }]);
    expect(harness.pages.get(1)?.headers).toContainEqual(['X-Dup', 'three']);
    expect(harness.pages.get(1)?.body.toString()).toBe('one');
  });

  test('is kept if it comes in pieces, after a chunked body, or behind another in one piece', async () => {
    const harness = await startReceiver();
    const head = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost:  a\r\n${more}\r\n`;
    const chunked = head('/chunked', 'Transfer-Encoding: chunked\r\n');
    const first = head('/first', 'Content-Length: 4\r\n');
    const second = head('/second', '');
    const { socket } = openRaw(harness.port, chunked.slice(0, 20));
    // Answered after the receiver has read the piece.
    await fetch(`${harness.baseUrl}/between`, { method: 'POST' });
    socket.write(`${chunked.slice(20)}2\r\nab\r\n0\r\nX-End: 1\r\n\r\n`);
    await expect.poll(() => headsOf(harness)).toHaveLength(2);
    expect(harness.pages.get(2)).toMatchObject({ trailers: [['X-End', '1']], body: Buffer.from('ab') });
    socket.write(`${first}body${second}`);
    await expect
      .poll(() => headsOf(harness).slice(1))
      .toEqual([chunked, first, second].map((text) => ({ text, isExact: true })));
  });

  test('longer than 16 KB is rebuilt and says so', async () => {
    const harness = await startReceiver({ limits: { headerBytes: 64 * 1024 } });
    const long = (between: string) =>
      `POST / HTTP/1.1\r\nX-Long:${between}${'x'.repeat(headLimits.bytes)}\r\nHost: a\r\n\r\n`;
    await sendInTurn(harness, long('  '));
    expect(headsOf(harness)).toEqual([{ text: long(' '), isExact: false }]);
  });
});
