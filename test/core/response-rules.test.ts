// What the receiver answers by rules, over real sockets.
import { describe, expect, test } from 'vitest';
import { receiverRulesSchema, type ReceiverRules } from '#contract/app-rpc/rules.ts';
import { createResponsePlan } from '#core/receiver/response-plan.ts';
import { startCore } from './core-harness.ts';
import { openRaw } from './raw-http.ts';
import { startReceiver } from './receiver-harness.ts';

function rulesOf(...rules: object[]): ReceiverRules {
  return receiverRulesSchema.parse({ rules });
}

const answer = (status: number, more: object = {}) => ({ kind: 'answer', status, ...more });

async function statuses(baseUrl: string, count: number, path = '/hooks/a'): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await fetch(baseUrl + path, { method: 'POST' })).status);
  return seen;
}

describe('a rule', () => {
  test('answers a sequence and stays at its end, or begins again', async () => {
    const rules = rulesOf(
      { name: 'flaky', path: '/hooks/a', steps: [answer(500), answer(500), answer(200)] },
      { name: 'round', path: '/hooks/b', steps: [answer(503), answer(202)], afterLast: 'again' },
    );
    const { baseUrl, pages } = await startReceiver({ rules });
    expect(await statuses(baseUrl, 5)).toEqual([500, 500, 200, 200, 200]);
    expect(await statuses(baseUrl, 4, '/hooks/b?x=1')).toEqual([503, 202, 503, 202]);
    const stored = pages.page({ beforeId: undefined, limit: 10 }).map((row) => row.answeredStatus);
    expect(stored).toEqual([202, 503, 202, 503, 200, 200, 200, 500, 500]);
  });

  test('gives its headers, with duplicates, and its body', async () => {
    const headers = [
      ['X-One', '1'],
      ['Set-Cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['Content-Type', 'application/json'],
    ];
    const { port } = await startReceiver({
      rules: rulesOf({ name: 'r', path: '/*', steps: [answer(207, { headers, body: '{"ü":1}' })] }),
    });
    const text = await openRaw(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      .answer;
    expect(text).toMatch(/^HTTP\/1\.1 207 /);
    expect(text).toContain(
      'X-One: 1\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nContent-Type: application/json\r\ncontent-length: 8\r\n',
    );
    expect(Buffer.from(text.split('\r\n\r\n')[1] ?? '', 'latin1').toString()).toBe('{"ü":1}');
  });

  test('with 204 sends no body and no length', async () => {
    const { port } = await startReceiver({
      rules: rulesOf({ name: 'r', path: '/*', steps: [answer(204, { body: 'x' })] }),
    });
    const text = await openRaw(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      .answer;
    expect(text).toMatch(/^HTTP\/1\.1 204 /);
    expect(text.toLowerCase()).not.toContain('content-length');
    expect(text.endsWith('\r\n\r\n')).toBe(true);
  });

  test('closes or resets the connection, and the callback is kept all the same', async () => {
    const rules = rulesOf(
      { name: 'close', path: '/close', steps: [{ kind: 'close' }] },
      { name: 'reset', path: '/reset', steps: [{ kind: 'reset' }] },
    );
    const { baseUrl, pages, port } = await startReceiver({ rules });
    expect(await openRaw(port, 'POST /close HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n').answer).toBe('');
    await expect(fetch(`${baseUrl}/reset`, { method: 'POST' })).rejects.toThrow('fetch failed');
    expect(pages.page({ beforeId: undefined, limit: 10 }).map((row) => [row.target, row.answeredStatus])).toEqual([
      ['/reset', 0],
      ['/close', 0],
    ]);
  });

  test('delays its answer, while the callback is stored at once and others are answered', async () => {
    const rules = rulesOf({ name: 'slow', path: '/slow', steps: [answer(200, { delayMs: 400 })] });
    const { baseUrl, pages } = await startReceiver({ rules });
    const order: string[] = [];
    const slow = fetch(`${baseUrl}/slow`, { method: 'POST' }).then(() => order.push('slow'));
    await expect.poll(() => pages.page({ beforeId: undefined, limit: 10 })).toHaveLength(1);
    await fetch(`${baseUrl}/quick`, { method: 'POST' }).then(() => order.push('quick'));
    await slow;
    expect(order).toEqual(['quick', 'slow']);
  });
});

describe('a request', () => {
  const plan = (...rules: object[]) => createResponsePlan(rulesOf(...rules));

  test.each([
    ['POST', '/hooks/a', 201],
    ['POST', '/hooks/a?x=1', 201],
    ['GET', '/hooks/a', 202],
    ['POST', '/hooks/a/b', 202],
    ['POST', 'http://127.0.0.1/hooks/a', 201],
    ['POST', '/other', undefined],
  ])('%s %s meets the first rule that fits', (method, target, status) => {
    const step = plan(
      { name: 'off', isOn: false, path: '/*', steps: [answer(500)] },
      { name: 'one', method: 'POST', path: '/hooks/a', steps: [answer(201)] },
      { name: 'rest', path: '/hooks/*', steps: [answer(202)] },
    ).take(method, target);
    expect(step && 'status' in step ? step.status : undefined).toBe(status);
  });
});

describe('a pause', () => {
  test.each([
    ['refuse', 503, '60'],
    ['drop', 200, null],
  ] as const)('that shall %s answers %i and stores nothing', async (pause, status, retryAfter) => {
    const { baseUrl, pages } = await startReceiver({ rules: { pause, rules: [] } });
    const response = await fetch(`${baseUrl}/`, { method: 'POST', body: 'x' });
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(retryAfter);
    expect(pages.page({ beforeId: undefined, limit: 10 })).toEqual([]);
  });
});

describe('the rules of the app', () => {
  test('hold at once, and after a restart', async () => {
    const first = await startCore();
    const { receiver } = await first.statusWhere((status) => status.receiver.state === 'listening');
    expect(await first.client.rules.get()).toEqual({ pause: 'off', rules: [] });
    await first.client.rules.replace(rulesOf({ name: 'teapot', path: '/*', steps: [answer(418)] }));
    expect(await statuses(receiver.baseUrl ?? '', 1)).toEqual([418]);
    await first.close();
    const second = await startCore({ dataFolder: first.dataFolder });
    const { receiver: again } = await second.statusWhere((status) => status.receiver.state === 'listening');
    expect(await statuses(again.baseUrl ?? '', 1)).toEqual([418]);
    expect((await second.client.rules.get()).rules).toMatchObject([{ name: 'teapot' }]);
  });

  test.each([
    [[['bad header', 'x']], 'rules.0.steps.0.headers'],
    [[['X-Split', 'a\r\nSet-Cookie: b']], 'rules.0.steps.0.headers'],
    [[['Content-Length', '3']], 'rules.0.steps.0.headers'],
  ])('refuse the headers %j', async (headers, field) => {
    const { client } = await startCore();
    const rules = rulesOf({ name: 'r', path: '/*', steps: [answer(200, { headers })] });
    await expect(client.rules.replace(rules)).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { field } });
    expect((await client.rules.get()).rules).toEqual([]);
  });

  test('refuse a path that is none, and a delay of more than a minute', async () => {
    const { client } = await startCore();
    const with_ = (changes: object) =>
      ({ pause: 'off', rules: [{ name: 'r', path: '/', steps: [{ kind: 'close' }], ...changes }] }) as ReceiverRules;
    await expect(client.rules.replace(with_({ path: 'hooks' }))).rejects.toMatchObject({
      data: { field: 'rules.0.path' },
    });
    await expect(client.rules.replace(with_({ steps: [{ kind: 'close', delayMs: 60_001 }] }))).rejects.toMatchObject({
      data: { field: 'rules.0.steps.0.delayMs' },
    });
  });
});
