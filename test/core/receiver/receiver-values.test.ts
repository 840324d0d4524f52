// What the receiver works out without a connection: rules, limits, placeholders, refusals, heads, and checks, each as a whole.
import { describe, expect, test } from 'vitest';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { checkCallback, worstVerdict } from '#core/receiver/checks/callback-checks.ts';
import type { CheckedCallback, EarlierCallback } from '#core/receiver/checks/checked-callback.ts';
import { checkSignature, isWebhookKey, signatureOutcomeOf } from '#core/receiver/checks/signature-check.ts';
import { createRefusalLog, maskHead, type MoreRefusals } from '#core/receiver/refusals/refusal-log.ts';
import { rebuildHead } from '#core/receiver/requests/head-capture.ts';
import { fitsPath, pathOf } from '#core/receiver/requests/path-pattern.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { headBytes, headersOf, receivedResponse } from '#core/receiver/responses/response-outcome.ts';
import { createResponsePlan } from '#core/receiver/rules/response-plan.ts';
import { createBoundedRate } from '#core/receiver/server/bounded-rate.ts';
import { createOutcomeQueue } from '#core/receiver/server/outcome-queue.ts';
import { createManualClock } from '../manual-clock.ts';

const now = Date.UTC(2026, 10, 23, 12);

describe('a rule', () => {
  const request = (changes: object = {}) => ({
    receivedAt: now,
    method: 'POST',
    target: '/hooks/a?x=1&y=a?b',
    remoteAddress: '127.0.0.1',
    rawHeaders: ['X-Id', 'ü€', 'content-type', 'application/json'],
    body: Buffer.from('{"id":"precipitation_1","list":[{"a":7}],"text":"q\\"q"}'),
    truncated: false,
    ...changes,
  });
  const start = (rule: object, random = 0.5) => {
    const clock = createManualClock();
    const rules = receiverRulesSchema.parse({ rules: [{ name: 'r', path: '/*', ...rule }] });
    const plan = createResponsePlan(rules, { clock, random: () => random });
    return { clock, take: (changes: object = {}) => plan.take(request(changes)) };
  };
  const answer = (status: number, more = {}) => ({ kind: 'answer', status, ...more });

  test('takes its steps one after the other', () => {
    const steps = [answer(201), answer(202)];
    const last = start({ steps });
    expect([1, 2, 3].map(() => last.take()?.status)).toEqual([201, 202, 202]);
    const again = start({ steps, afterLast: 'again' });
    expect([1, 2, 3].map(() => again.take())).toMatchObject([
      { status: 201, step: 1, rule: 'r' },
      { status: 202, step: 2 },
      { status: 201, step: 1 },
    ]);
  });

  test('is left out if it does not match', () => {
    const { take } = start({ steps: [answer(201)], method: 'PUT', path: '/hooks/*', condition: 'header:x-id' });
    expect([
      take(),
      take({ method: 'PUT' })?.status,
      take({ method: 'PUT', target: '/other' }),
      take({ method: 'PUT', rawHeaders: [] }),
    ]).toEqual([undefined, 201, undefined, undefined]);
    expect(start({ steps: [answer(201)], isOn: false }).take()).toBeUndefined();
    const not = start({ steps: [answer(201)], condition: '-header:x-id OR method:put' });
    expect([not.take(), not.take({ method: 'PUT' })?.status, not.take({ rawHeaders: [] })?.status]).toEqual([
      undefined,
      201,
      201,
    ]);
  });

  test('has a limit in windows of time', () => {
    const { clock, take } = start({ steps: [answer(201)], limit: { requests: 2, seconds: 10 } });
    expect([take()?.status, take()?.status]).toEqual([201, 201]);
    clock.advance(1);
    const limited = (seconds: string) => ({
      action: 'answer',
      status: 429,
      headers: [['retry-after', seconds]],
      body: '',
      delayMs: 0,
      rule: 'r',
      step: null,
    });
    expect(take()).toEqual(limited('10'));
    clock.advance(8999);
    expect(take()).toEqual(limited('1'));
    clock.advance(999);
    expect(take()).toEqual(limited('1'));
    clock.advance(1);
    expect([take()?.status, take()?.status, take()?.status]).toEqual([201, 201, 429]);
  });

  test('fails by chance', () => {
    const failing = (random: number) =>
      start({ steps: [answer(201)], failure: { percent: 50, step: answer(503) } }, random).take();
    expect([failing(0.49), failing(0.5)]).toMatchObject([
      { status: 503, step: null },
      { status: 201, step: 1 },
    ]);
  });

  test.each([
    ['method', 'POST'],
    ['target', '/hooks/a?x=1&y=a?b'],
    ['path', '/hooks/a'],
    ['query.x', '1'],
    ['query.y', 'a?b'],
    ['query.z', ''],
    ['header.X-ID', 'ü€'],
    ['header.none', ''],
    ['json.id', 'precipitation_1'],
    ['json.list.0.a', '7'],
    ['json.list', '[{"a":7}]'],
    ['json.none', ''],
    ['json.id.length', ''],
    ['monitor', 'precipitation_1'],
    ['time', '2026-11-23T12:00:00.000Z'],
    ['body', '{"id":"precipitation_1","list":[{"a":7}],"text":"q\\"q"}'],
    ['nonsense', ''],
  ])('fills in %s', (name, value) => {
    const steps = [answer(200, { hasPlaceholders: true, body: `<{{${name}}}>`, headers: [['x-a', `{{${name}}}`]] })];
    const planned = start({ steps }).take();
    expect(planned?.body).toBe(`<${value}>`);
    expect(planned?.headers[0]).toEqual(['x-a', value.replace('€', '?')]);
  });

  test('fills in at most 64 KB, of bodies of at most 256 KB', () => {
    const filled = (body: string, text: string) =>
      start({ steps: [answer(200, { hasPlaceholders: true, body: text })] }).take({
        body: Buffer.from(body),
        rawHeaders: [],
      })?.body;
    expect(filled('a'.repeat(65_536), '{{body}}')).toHaveLength(65_536);
    expect(filled('a'.repeat(65_537), '{{body}}')).toHaveLength(65_536);
    expect(filled('a'.repeat(40_000), '{{body}}{{body}}')).toHaveLength(65_536);
    expect(Buffer.byteLength(filled('ü'.repeat(40_000), 'x{{body}}') ?? '')).toBe(65_535);
    expect(filled('a'.repeat(256 * 1024), '{{method}}{{body}}')).toHaveLength(65_536);
    expect(filled('a'.repeat(256 * 1024 + 1), '{{method}}{{body}}')).toBe('POST');
  });
});

test.each([
  ['/a', '/a', true],
  ['/a', '/ab', false],
  ['/a*', '/ab', true],
  ['/a*', '/b', false],
  ['/*', '/', true],
])('the pattern %s fits %s: %s', (pattern, path, fits) => {
  expect(fitsPath(pattern, path)).toBe(fits);
});

test.each([
  ['/a?b?c', '/a'],
  ['http://a.example/x/y?z', '/x/y'],
  ['http://a.example/x/', '/x/'],
  ['/x/', '/x/'],
  ['*', '*'],
  ['', ''],
])('the path of %j is %j', (target, path) => {
  expect(pathOf(target)).toBe(path);
});

describe('a response', () => {
  test('has the headers that follow from its body, the time, and the connection (RFC 9110 §8.6, §6.6.1)', () => {
    const date: [string, string] = ['Date', 'Mon, 23 Nov 2026 12:00:00 GMT'];
    expect(headersOf({ ...receivedResponse, body: 'ü', headers: [['A', 'b']] }, now + 999, true)).toEqual([
      ['A', 'b'],
      ['content-length', '2'],
      date,
      ['Connection', 'keep-alive'],
      ['Keep-Alive', 'timeout=5'],
    ]);
    expect(headersOf({ ...receivedResponse, status: 204 }, now, false)).toEqual([date, ['Connection', 'close']]);
    expect(headersOf({ ...receivedResponse, status: 304, headers: [['DATE', 'x']] }, now, false)).toEqual([
      ['DATE', 'x'],
      ['Connection', 'close'],
    ]);
    expect(headersOf(receivedResponse, now + 1000, false)).toContainEqual(['Date', 'Mon, 23 Nov 2026 12:00:01 GMT']);
  });

  test('has as many bytes in its head as are sent', () => {
    const bytes = (text: string) => Buffer.byteLength(text);
    expect(headBytes(200, ['A', 'b', 'Cc', 'dd'])).toBe(bytes('HTTP/1.1 200 OK\r\nA: b\r\nCc: dd\r\n\r\n'));
    expect(headBytes(404, [])).toBe(bytes('HTTP/1.1 404 Not Found\r\n\r\n'));
    expect(headBytes(299, [])).toBe(bytes('HTTP/1.1 299 unknown\r\n\r\n'));
  });

  test('answers a head as it is usually written', () => {
    const head = rebuildHead({
      method: 'POST',
      target: '/ü',
      httpVersion: '1.1',
      rawHeaders: ['A', 'b', 'C', 'd', 'odd'],
    });
    expect(head).toEqual(Buffer.from('POST /ü HTTP/1.1\r\nA: b\r\nC: d\r\n\r\n', 'latin1'));
  });
});

describe('refused requests', () => {
  const refusal = (firstBytes: string, more = {}) => ({
    reason: 'malformed' as const,
    status: 400,
    remoteAddress: '192.0.2.7',
    firstBytes: Buffer.from(firstBytes, 'latin1'),
    ...more,
  });
  function start() {
    const clock = createManualClock(now);
    const rows: ReceivedCallback[] = [];
    const counts: (readonly MoreRefusals[])[] = [];
    const log = createRefusalLog({
      clock,
      add: (row) => void rows.push(row),
      addCounts: (more) => void counts.push(more),
    });
    return { clock, rows, counts, log };
  }

  test.each([
    ['POST /a?b HTTP/1.1\r\nHost: x\r\n', 'POST', '/a?b', '1.1'],
    ['POST /a\r\n', 'POST', '/a', ''],
    ['post /a HTTP/1.0\r\n', 'post', '/a', '1.0'],
    ['post /a\r\n', '', '', ''],
    ['\x16\x03\x01', '', '', ''],
  ])('keep what is known of %j', (text, method, target, httpVersion) => {
    const { rows, log } = start();
    log.note(refusal(text));
    expect(rows).toEqual([
      {
        receivedAt: now,
        method,
        target,
        httpVersion,
        remoteAddress: '192.0.2.7',
        rawHeaders: [],
        body: Buffer.from(text, 'latin1'),
        truncated: false,
        answeredStatus: 400,
        refusal: 'malformed',
      },
    ]);
  });

  test('keep 1024 bytes', () => {
    const { rows, log } = start();
    log.note(refusal('x'.repeat(1024)));
    log.note(refusal('x'.repeat(1025)));
    expect(rows.map(({ body, truncated }) => [body.length, truncated])).toEqual([
      [1024, false],
      [1024, true],
    ]);
  });

  test('leave 50 rows, then 2 a second; the others are counted', () => {
    const { clock, rows, counts, log } = start();
    for (let index = 0; index < 53; index += 1) log.note(refusal(''));
    log.note(refusal('', { reason: 'timeout' }));
    expect(rows).toHaveLength(50);
    clock.advance(499);
    log.note(refusal(''));
    expect([rows.length, counts]).toEqual([50, []]);
    clock.advance(1);
    log.note(refusal(''));
    log.note(refusal(''));
    expect(rows).toHaveLength(51);
    clock.advance(500);
    expect(counts).toEqual([
      [
        { reason: 'malformed', count: 5, lastAt: now + 500 },
        { reason: 'timeout', count: 1, lastAt: now },
      ],
    ]);
    clock.advance(60_000);
    for (let index = 0; index < 51; index += 1) log.note(refusal(''));
    expect(rows).toHaveLength(101);
    log.flush();
    expect(counts[1]).toEqual([{ reason: 'malformed', count: 1, lastAt: now + 61_000 }]);
    log.flush();
    clock.advance(5000);
    expect(counts).toHaveLength(2);
  });

  test('have secret headers masked, and nothing else changed', () => {
    const head = 'GET / HTTP/1.1\r\nCookie: \ta=b\r\nX-Id: ü\r\nno header\r\n\r\n';
    const masked = maskHead(Buffer.from(head, 'latin1')).toString('latin1');
    expect(masked).toMatch(/^GET \/ HTTP\/1\.1\r\nCookie: \t\*+\r\nX-Id: ü\r\nno header\r\n\r\n$/);
  });
});

test('a bounded rate reports at once, then at most once per interval', () => {
  const clock = createManualClock();
  const reports: number[] = [];
  const rate = createBoundedRate(clock, 100, () => void reports.push(clock.elapsed()));
  rate.cancel();
  rate.report();
  rate.report();
  rate.report();
  clock.advance(99);
  expect(reports).toEqual([0]);
  clock.advance(201);
  expect(reports).toEqual([0, 100]);
  rate.report();
  rate.report();
  rate.cancel();
  clock.advance(500);
  expect(reports).toEqual([0, 100, 300]);
});

describe('outcomes that wait', () => {
  const outcome = (callbackId: number) => ({
    callbackId,
    kind: 'answered' as const,
    planned: receivedResponse,
    startedAfterMs: 1,
    endedAfterMs: 2,
    bytesSent: 3,
    isKeptAlive: true,
  });
  function start() {
    const clock = createManualClock();
    const written: number[][] = [];
    const state = { fails: false, reports: 0, isCanceled: false };
    const write = (outcomes: readonly { callbackId: number }[]) => {
      if (state.fails) throw new Error('full');
      written.push(outcomes.map(({ callbackId }) => callbackId));
      return 'written';
    };
    const queue = createOutcomeQueue({
      clock,
      write,
      onRecorded: { report: () => (state.reports += 1), cancel: () => (state.isCanceled = true) },
    });
    const add = (count: number, from = 0) => {
      for (let index = 0; index < count; index += 1) queue.add(outcome(from + index));
    };
    return { clock, written, state, queue, write, add };
  }

  test('are written after 50 ms, or with callbacks if they are 64', () => {
    const { clock, written, state, queue, write, add } = start();
    add(2);
    clock.advance(49);
    expect(written).toEqual([]);
    clock.advance(1);
    expect([written.splice(0), state.reports]).toEqual([[[0, 1]], 1]);
    add(63);
    expect([queue.writeWith(write), written.splice(0), state.reports]).toEqual(['written', [[]], 1]);
    add(1, 63);
    expect([queue.writeWith(write), written.splice(0).map(({ length }) => length), state.reports]).toEqual([
      'written',
      [64],
      2,
    ]);
    clock.advance(1000);
    expect(written).toEqual([]);
    queue.changed();
    expect(state.reports).toBe(3);
  });

  test('wait a second if they cannot be written, in their order, 20,000 at most', () => {
    const { clock, written, state, queue, write, add } = start();
    add(64);
    state.fails = true;
    expect(() => queue.writeWith(write)).toThrow('full');
    state.fails = false;
    add(1, 64);
    clock.advance(999);
    expect(written).toEqual([]);
    clock.advance(1);
    expect(written.splice(0)).toEqual([Array.from({ length: 65 }, (_, index) => index)]);
    add(20_001);
    state.fails = true;
    clock.advance(50);
    state.fails = false;
    clock.advance(1000);
    expect([written[0]?.length, written[0]?.[0]]).toEqual([20_000, 1]);
  });

  test('are written at the end, and not tried again after it', () => {
    const { clock, written, state, queue, add } = start();
    add(1);
    queue.close();
    expect([written, state.isCanceled]).toEqual([[[0]], true]);
    add(1, 1);
    clock.advance(5000);
    expect(written).toEqual([[0]]);
  });
});

describe('a key (Standard Webhooks)', () => {
  const bytes = (length: number) => Buffer.alloc(length, 7).toString('base64');
  test.each([
    [`whsec_${bytes(16)}`, true],
    [`whsec_${bytes(15)}`, false],
    [`whsec_${bytes(64)}`, true],
    [`whsec_${bytes(65)}`, false],
    [bytes(24), true],
    [`whpk_${bytes(32)}`, true],
    [`whpk_${bytes(31)}`, false],
    [`whpk_${bytes(33)}`, false],
    [`whsec_${bytes(24)} `, false],
    ['whsec_', false],
    [`other_${bytes(24)}`, false],
  ])('%s is one: %s', (text, isKey) => {
    expect(isWebhookKey(text)).toBe(isKey);
  });
});

describe('the checks', () => {
  const callback = (changes: Partial<CheckedCallback> = {}): CheckedCallback => ({
    id: 9,
    receivedAt: now,
    method: 'POST',
    target: '/hooks/a',
    headers: [
      ['Content-Type', 'application/json'],
      ['Host', 'a.example'],
      ['webhook-id', 'evt_9'],
    ],
    body: Buffer.from(
      JSON.stringify({
        id: 'precipitation_1',
        monitor_type: 'precipitation',
        callback_uri: 'https://a.example/hooks/a',
        geo: { type: 'Point', coordinates: [7, 45] },
      }),
    ),
    truncated: false,
    ...changes,
  });
  const earlier = (id: number, seconds: number, more: Partial<EarlierCallback> = {}): EarlierCallback => ({
    id,
    receivedAt: now - seconds * 1000,
    event: { id: `evt_${id}`, timestamp: undefined },
    counts: true,
    ...more,
  });
  const hourOf = (others: EarlierCallback[], changes: Partial<CheckedCallback> = {}) => {
    const facts = {
      monitors: new Map([['precipitation_1', null]]),
      evidence: { counts: true, reason: '' },
      earlier: others,
      signing: { secrets: [], isClockMovable: false },
    };
    const hour = checkCallback(callback(changes), facts).find(({ check }) => check === 'hour');
    return [hour?.verdict, hour?.breach];
  };

  test.each<[string, EarlierCallback[], (string | undefined)[]]>([
    ['the first', [], ['ok', undefined]],
    ['after an hour', [earlier(1, 3600)], ['ok', undefined]],
    ['a moment before it', [earlier(1, 3599)], ['warning', undefined]],
    ['15 s before it', [earlier(1, 3585)], ['warning', undefined]],
    ['16 s before it', [earlier(1, 3584)], ['error', 'too-soon']],
    ['at once', [earlier(1, 0)], ['error', 'too-soon']],
    ['before an event, by less than an hour', [earlier(1, -3599)], ['error', 'out-of-order']],
    ['before an event, by an hour', [earlier(1, -3600)], ['warning', 'out-of-order']],
    ['after one that does not count', [earlier(1, 60, { counts: false })], ['ok', undefined]],
    ['another attempt', [earlier(1, 60, { event: { id: 'evt_9', timestamp: undefined } })], ['ok', undefined]],
    ['nearest to the later one', [earlier(2, 100), earlier(1, 5000)], ['error', 'too-soon']],
    [
      'after another attempt of an event an hour ago',
      [earlier(2, 100, { event: { id: 'evt_1', timestamp: undefined } }), earlier(1, 3600)],
      ['ok', undefined],
    ],
  ])('of the hour: %s', (_, others, expected) => {
    expect(hourOf(others)).toEqual(expected);
  });

  test('of the hour do not count the seconds of a test', () => {
    expect(hourOf([earlier(1, 60)], { headers: [['webhook-id', 'test_1']] })).toEqual(['ok', undefined]);
  });

  test('have the worst as their verdict', () => {
    const of = (...verdicts: ('ok' | 'warning' | 'error' | 'unknown')[]) =>
      worstVerdict(verdicts.map((verdict) => ({ check: 'hour', verdict, message: '' })));
    expect([of(), of('unknown'), of('unknown', 'ok'), of('ok', 'warning'), of('warning', 'error', 'ok')]).toEqual([
      'unknown',
      'unknown',
      'ok',
      'warning',
      'error',
    ]);
  });

  test('of a signature that is none say why', () => {
    const signed = (headers: [string, string][], truncated = false) => callback({ headers, truncated });
    const secrets = { secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], isClockMovable: false };
    const parts: [string, string][] = [
      ['webhook-id', 'e'],
      ['webhook-timestamp', '1'],
      ['webhook-signature', 'v1,a'],
    ];
    const without = (name: string) => parts.filter(([other]) => other !== name);
    const verdictOf = (one: CheckedCallback, facts = secrets) => checkSignature(one, facts, []).verdict;
    expect(verdictOf(signed(without('webhook-signature')))).toBe('warning');
    expect(verdictOf(signed(without('webhook-signature')), { ...secrets, secrets: [] })).toBe('unknown');
    expect(verdictOf(signed(without('webhook-id')))).toBe('error');
    expect(verdictOf(signed(without('webhook-timestamp')))).toBe('error');
    expect(verdictOf(signed(parts), { ...secrets, secrets: [] })).toBe('unknown');
    expect(verdictOf(signed(parts, true))).toBe('unknown');
    expect(verdictOf(signed(parts))).toBe('error');
    expect(verdictOf(signed([...without('webhook-signature'), ['webhook-signature', 'v1a,a']]))).toBe('unknown');
    expect(verdictOf(signed([...without('webhook-timestamp'), ['webhook-timestamp', 'x']]))).toBe('error');
    const outcomeOf = (one: CheckedCallback) => signatureOutcomeOf(one, secrets.secrets);
    expect(outcomeOf(signed(without('webhook-signature')))).toBe('missing');
    for (const name of ['webhook-id', 'webhook-timestamp']) expect(outcomeOf(signed(without(name)))).toBe('wrong');
    expect(outcomeOf(signed(parts, true))).toBe('wrong');
    expect(outcomeOf(signed([...without('webhook-signature'), ['webhook-signature', 'v2,a']]))).toBe('unchecked');
    expect(outcomeOf(signed([...without('webhook-signature'), ['webhook-signature', 'v2,a nonsense']]))).toBe('wrong');
  });
});
