// What the receiver answers by rules, over real sockets.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { receiverRulesSchema, type ReceiverRules } from '#contract/app-rpc/rules.ts';
import { createResponsePlan } from '#core/receiver/rules/response-plan.ts';
import { receivedCallback } from '../callbacks/callback-store.ts';
import { startCore } from '../core-harness.ts';
import { openRaw } from '../raw-http.ts';
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
  test('answers a sequence and stays at its end, or starts over', async () => {
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

  test.each([204, 304])(
    'with %i sends neither body nor length, and its own date in place of the receiver’s',
    async (status) => {
      const headers = [['DATE', 'x']];
      const { port } = await startReceiver({
        rules: rulesOf({ name: 'r', path: '/*', steps: [answer(status, { body: 'x', headers })] }),
      });
      const text = await openRaw(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
        .answer;
      expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(text.toLowerCase()).not.toContain('content-length');
      expect(text.match(/^date: .*$/gim)).toEqual(['DATE: x']);
      expect(text.endsWith('\r\n\r\n')).toBe(true);
    },
  );

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
  const plan = (rules: object[], more: { random?: () => number; clock?: { elapsed: () => number } } = {}) =>
    createResponsePlan(rulesOf(...rules), { clock: { elapsed: () => 0 }, random: () => 0.99, ...more });
  const one = (rule: object, request: Parameters<typeof receivedCallback>[0]) =>
    plan([{ name: 'one', path: '/*', steps: [answer(201)], ...rule }]).take(receivedCallback(request));

  test.each([
    ['POST', '/hooks/a', 201],
    ['POST', '/hooks/a?x=1', 201],
    ['GET', '/hooks/a', 202],
    ['POST', '/hooks/a/b', 202],
    ['POST', 'http://127.0.0.1/hooks/a', 201],
    ['POST', '/other', undefined],
  ])('%s %s meets the first rule that matches', (method, target, status) => {
    const rules = [
      { name: 'off', isOn: false, path: '/*', steps: [answer(500)] },
      { name: 'one', method: 'POST', path: '/hooks/a', steps: [answer(201)] },
      { name: 'rest', path: '/hooks/*', steps: [answer(202)] },
    ];
    expect(plan(rules).take(receivedCallback({ method, target }))?.status).toBe(status);
  });

  test.each([
    ['monitor:precipitation_7', true],
    ['json:geo.type=Polygon OR size:<1kB', true],
    ['body:precipitation path:hooks', true],
  ])('matches %s: %s', (condition, isMatch) => {
    const body = '{"id":"precipitation_7","geo":{"type":"Point","coordinates":[7.7,45.1]}}';
    const headers = ['X-Case', 'good'];
    expect(one({ condition }, { body, headers })?.status).toBe(isMatch ? 201 : undefined);
    const encoded = { body: gzipSync(body), headers: [...headers, 'Content-Encoding', 'gzip'] };
    expect(one({ condition }, encoded)?.status).toBe(isMatch ? 201 : undefined);
  });

  test.each(['is:error', 'status:200', 'note:x', 'json:', 'after:2026-11-22'])(
    'cannot be matched by %s',
    (condition) => {
      expect(() => rulesOf({ name: 'r', path: '/*', condition, steps: [answer(200)] })).toThrow(
        'is not a valid condition',
      );
    },
  );

  test('fails by chance as often as the rule says, without taking a step', () => {
    const chances = [0.19, 0.2, 0.05, 0.9];
    const rule = {
      name: 'r',
      path: '/*',
      steps: [answer(200), answer(201)],
      failure: { percent: 20, step: answer(503) },
    };
    const { take } = plan([rule], { random: () => chances.shift() ?? 1 });
    expect([1, 2, 3, 4].map(() => take(receivedCallback())?.status)).toEqual([503, 200, 503, 201]);
  });

  test('gets 429 above the limit until its time is over', () => {
    let now = 10_000;
    const rule = { name: 'r', path: '/*', steps: [answer(200)], limit: { requests: 2, seconds: 60 } };
    const { take } = plan([rule], { clock: { elapsed: () => now } });
    const next = () => take(receivedCallback());
    expect([next()?.status, next()?.status]).toEqual([200, 200]);
    now += 45_500;
    expect(next()).toMatchObject({ status: 429, headers: [['retry-after', '15']], rule: 'r', step: null });
    now += 14_500;
    expect(next()?.status).toBe(200);
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
