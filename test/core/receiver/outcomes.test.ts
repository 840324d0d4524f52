// What is recorded of each response, compared with what its sender saw; and what refused requests leave behind.
import { describe, expect, test } from 'vitest';
import { receiverRulesSchema, type ReceiverRules } from '#contract/app-rpc/rules.ts';
import { openRaw } from '../raw-http.ts';
import { startReceiver, type ReceiverHarness } from './receiver-harness.ts';

const rulesOf = (...rules: object[]): ReceiverRules => receiverRulesSchema.parse({ rules });

const all = ({ pages }: ReceiverHarness) =>
  [...pages.rows({}, 'oldestFirst')].map((row) => ({ ...row, answer: row.answer() }));

const kinds = (harness: ReceiverHarness) => all(harness).map(({ outcome }) => outcome.kind);

/** Once none of them waits for its outcome. */
async function recorded(harness: ReceiverHarness, count: number) {
  await expect.poll(() => kinds(harness)).toHaveLength(count);
  await expect.poll(() => kinds(harness)).not.toContain('waiting');
  return all(harness);
}

const post = (path: string, more = '') => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n${more}\r\n`;

/** By the first member. */
function byText(one: readonly unknown[], other: readonly unknown[]): number {
  return String(one[0]).localeCompare(String(other[0]));
}

describe('an answered callback', () => {
  test('has the response to the byte, with and without a rule, kept alive or closed', async () => {
    const headers = [
      ['X-One', '1'],
      ['x-one', '2'],
    ];
    const harness = await startReceiver({
      rules: rulesOf({ name: 'teapot', path: '/tea', steps: [{ kind: 'answer', status: 418, headers, body: 'ü' }] }),
    });
    const { socket, answer } = openRaw(
      harness.port,
      `${post('/tea')}${post('/plain')}HEAD /tea HTTP/1.1\r\nHost: a\r\n\r\n`,
    );
    // These responses have arrived when the last request is answered, which closes the connection.
    await expect.poll(() => kinds(harness)).toEqual(Array(3).fill('answered'));
    socket.write(post('/last', 'Connection: close\r\n'));
    const text = await answer;
    const rows = await recorded(harness, 4);
    const rebuilt = rows.map(({ method, answer: sent }) => {
      const reason = sent?.status === 418 ? "I'm a Teapot" : 'OK';
      const lines = [`HTTP/1.1 ${sent?.status} ${reason}`, ...(sent?.headers ?? []).map((pair) => pair.join(': '))];
      const body = method === 'HEAD' ? '' : (sent?.body ?? '');
      return `${lines.join('\r\n')}\r\n\r\n${Buffer.from(body).toString('latin1')}`;
    });
    expect(rebuilt.join('')).toBe(text);
    expect(rows.map(({ outcome }) => outcome.bytesSent)).toEqual(rebuilt.map(({ length }) => length));
    expect(rows[0]?.answer).toMatchObject({ rule: 'teapot', step: 1, delayMs: 0 });
    expect(rows[1]?.answer).toMatchObject({ rule: null, step: null, status: 200 });
    expect(rows.map(({ answeredStatus }) => answeredStatus)).toEqual([418, 200, 418, 200]);
  });
});

describe('a callback without a response', () => {
  test('says that a rule ended the connection, and which', async () => {
    const rules = ['close', 'reset'].map((kind) => ({ name: kind, path: `/${kind}`, steps: [{ kind }] }));
    const harness = await startReceiver({ rules: rulesOf(...rules) });
    const requests = [post('/close'), post('/reset'), post('/close') + post('/reset')];
    for (const request of requests) expect(await openRaw(harness.port, request).answer).toBe('');
    const rows = await recorded(harness, 4);
    expect(rows.map(({ outcome, answer }) => [outcome.kind, answer?.action, answer?.rule])).toEqual([
      ['aborted', 'close', 'close'],
      ['aborted', 'reset', 'reset'],
      ['aborted', 'close', 'close'],
      ['aborted', 'reset', 'reset'],
    ]);
  });

  test('of a sender that pipelines too much says that the receiver closed it, and the others are named', async () => {
    const harness = await startReceiver();
    const text = Array.from({ length: 6 }, (_, index) => post(`/p${index}`)).join('');
    expect(await openRaw(harness.port, text).answer).toBe('');
    const rows = await recorded(harness, 6);
    expect(
      rows.map(({ target, outcome, refusal }) => [target, outcome.kind, refusal?.reason]).toSorted(byText),
    ).toEqual([
      ...['/p0', '/p1', '/p2', '/p3'].map((target) => [target, 'dropped', undefined]),
      ['/p4', 'refused', 'pipelining'],
      ['/p5', 'refused', 'pipelining'],
    ]);
  });
});

describe('a refused request', () => {
  const long = `X-Long: ${'x'.repeat(20_000)}\r\nAuthorization: Bearer very-secret\r\n`;

  test('of a sender that resets the connection does not end the receiver', async () => {
    const harness = await startReceiver();
    const heads = [
      'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n',
      post('/expects', 'Expect: 200-maybe\r\n'),
      'nonsense\r\n\r\n',
    ];
    for (let round = 0; round < 30; round += 1) {
      const senders = heads.map((head) => {
        const { socket, answer } = openRaw(harness.port, head);
        socket.once('connect', () => setImmediate(() => socket.resetAndDestroy()));
        return answer;
      });
      await Promise.all(senders);
    }
    expect((await fetch(harness.baseUrl, { method: 'POST' })).status).toBe(200);
    expect(harness.receiver.port()).toBe(harness.port);
  });

  test('shows its method, path, and first bytes without secrets', async () => {
    const harness = await startReceiver();
    const secret = 'Authorization: Bearer very-secret\r\nCookie: a=1; b=2\r\nX-Plain: stays\r\n';
    await openRaw(harness.port, post('/hooks/a', secret + long)).answer;
    const [row] = await recorded(harness, 1);
    expect(row).toMatchObject({ method: 'POST', target: '/hooks/a', truncated: true });
    expect(row?.body.toString('latin1')).toContain(
      'POST /hooks/a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nAuthorization: Bearer ********\r\nCookie: ********\r\nX-Plain: stays\r\n',
    );
    expect(row?.body.toString('latin1')).not.toContain('secret');
  });
});
