// The verdict of each check of a callback, and the part of its message that depends on the callback.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import type { CallbackCheck } from '#contract/app-rpc/callbacks.ts';
import { checkCallback, kindOf, type CheckFacts } from '#core/receiver/checks/callback-checks.ts';
import { type CallbackEvent, type EarlierCallback, readEvent } from '#core/receiver/checks/event-evidence.ts';
import type { StoredCallback } from '#core/receiver/records/stored-callback.ts';
import { noFacts, storedCallback } from '#test/core/callbacks/stored-callback.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const monitor = {
  id: 'precipitation_1',
  monitor_type: 'precipitation',
  callback_uri: 'https://a.example/hooks/a?b',
  geo: { type: 'Point', coordinates: [7, 45] },
};
const json: [string, string] = ['Content-Type', 'application/json'];
const event: [string, string] = ['webhook-id', 'evt_9'];
const feedAt = (occurredAt: number) => ({ connectionId: 'a', eventId: 'evt_9', occurredAt });

type Given = Partial<Omit<StoredCallback, 'body'>> & { body?: unknown };

type Facts = Partial<CheckFacts> & { evidence?: Partial<CallbackEvent>; earlier?: EarlierCallback[] };

function check(changes: Given = {}, { evidence, earlier: others = [], ...facts }: Facts = {}) {
  const { body = monitor, ...rest } = changes;
  const plain = typeof body === 'string' ? body : JSON.stringify(body);
  const callback = storedCallback({
    id: 9,
    receivedAt: now,
    method: 'POST',
    target: '/hooks/a?b',
    headers: [json, event],
    ...rest,
    body: Buffer.isBuffer(body) ? body : Buffer.from(plain),
  });
  const monitors = new Map([['precipitation_1', monitor.callback_uri]]);
  const known = { ...noFacts, monitors, placeOf: () => undefined, isDamaged: false, ...facts };
  return checkCallback(callback, { ...readEvent(callback, known), counts: true, ...evidence }, others, known);
}
const one = (checks: readonly CallbackCheck[], name: CallbackCheck['check']) =>
  checks.find((each) => each.check === name) ?? { verdict: 'none', message: '' };
const names = (checks: readonly CallbackCheck[]) => checks.map((each) => each.check).join(' ');

test('a callback has a check of each kind, without a Monitor object fewer', () => {
  expect(names(check())).toBe('request monitor registered address hour signature');
  expect(names(check({ body: 'x' }))).toBe('request monitor signature');
});

test('a lost body, and a damaged store, are warnings', () => {
  const lost = check({ isBodyLost: true });
  expect([names(lost), one(lost, 'storage').verdict]).toEqual(['request storage', 'warning']);
  const last = check({}, { isDamaged: true }).at(-1);
  expect(last).toMatchObject({ check: 'storage', verdict: 'warning', message: expect.stringContaining('Restart') });
});

test.each<[Given, string, RegExp]>([
  [{}, 'ok', /request\.$/],
  [{ headers: [['content-type', ' Application/JSON ; charset=utf-8']] }, 'ok', /request\.$/],
  [{ headers: [json, ['Content-Encoding', 'gzip']] }, 'ok', /gzip\.$/],
  [{ headers: [json, ['Content-Encoding', 'y'.repeat(101)]] }, 'ok', / y{100}\.$/],
  [{ headers: [] }, 'warning', /missing/],
  [{ headers: [['Content-Type', 'text/plain; a=b']] }, 'warning', / text\/plain instead/],
  [{ method: 'GET' }, 'error', / GET instead/],
  [{ method: 'GET', headers: [] }, 'error', / GET instead.*missing/],
])('the request %j: %s', (changes, verdict, message) => {
  expect(one(check(changes), 'request')).toMatchObject({ verdict, message: expect.stringMatching(message) });
});

const padded = (bytes: number) => {
  const text = JSON.stringify({ ...monitor, x: '' });
  return text.replace('"x":""', `"x":"${'x'.repeat(bytes - text.length)}"`);
};
const having = (changes: object): Given => ({ body: { ...monitor, ...changes } });
const pointAt = (...coordinates: number[]) => having({ geo: { type: 'Point', coordinates } });
const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}f`, 1]));
const gzip: HeaderList = [json, ['Content-Encoding', 'gzip']];

test.each<[string, Given, string, RegExp]>([
  ['a Monitor object', having({ uri: '/x' }), 'ok', /./],
  ['a compressed one', { body: gzipSync(JSON.stringify(monitor)), headers: gzip }, 'ok', /./],
  ['null', { body: 'null' }, 'error', /not a JSON object/],
  ['nothing', { body: '' }, 'error', /not a JSON object/],
  ['a truncated body', { body: '{"id"', truncated: true }, 'error', /truncated/],
  ['more than 64 KB', { body: padded(65_537) }, 'error', / 65537 bytes/],
  ['more than 64 KB compressed', { body: gzipSync(padded(65_537)), headers: gzip }, 'error', / gzip and can/],
  ['an unknown coding', { headers: [json, ['Content-Encoding', 'z'.repeat(101)]] }, 'error', / z{100} and can/],
  ['11 unknown fields', having(fields(11)), 'warning', / f8f, f9f\.$/],
  ['missing fields', having({ geo: undefined, id: undefined }), 'error', /missing: id, geo\.$/],
  ['a wrong ID', having({ id: 'Rain-1' }), 'error', /id.*<monitor_type>_<digits>\.$/],
  ['a wrong URL', having({ callback_uri: 'x' }), 'error', /callback_uri.*URL\.$/],
  ['UTF-16', { body: Buffer.from(`\uFEFF${JSON.stringify(monitor)}`, 'utf16le') }, 'ok', /is a Monitor object\.$/],
  ['an altitude', pointAt(7, 45, 408), 'ok', /./],
  ['a wrong point', pointAt(7), 'error', /geo/],
  ['a wrong latitude', pointAt(45, 107), 'error', /, item 2: must/],
  [
    'fields missing at two levels',
    having({ monitor_type: undefined, geo: { coordinates: [45, 7] } }),
    'error',
    /^Differs from the Monitor object: missing: monitor_type, geo\.type\.$/,
  ],
  [
    'fields missing, wrong, and unknown',
    having({ geo: undefined, id: 7, colour: 'red' }),
    'error',
    /missing: geo; id: should be text, but is a number; not in the API spec: colour\.$/,
  ],
])('a body of %s', (_, changes, verdict, message) => {
  expect(one(check(changes), 'monitor')).toMatchObject({ verdict, message: expect.stringMatching(message) });
});

// An ID of 100 characters is the longest that is recognized.
const idOf = (length: number) => `rain_${'1'.repeat(length - 5)}`;

test.each<[string, Given, Facts, string, RegExp]>([
  ['known', {}, {}, 'ok', /^precipitation_1 /],
  ['known by the path', {}, { evidence: { isByPath: true } }, 'ok', /path/],
  ['likely', {}, { evidence: { counts: undefined } }, 'ok', /^precipitation_1 /],
  ['not proven', {}, { evidence: { counts: false, reason: 'of a reason' } }, 'warning', /because of a reason\.$/],
  ['not fetched yet', {}, { monitors: undefined }, 'unknown', /fetched/],
  ['another', {}, { monitors: new Map() }, 'warning', /^precipitation_1 is not/],
  ['named in 100 characters', having({ id: idOf(100) }), {}, 'warning', /^rain_1+ is not/],
  ['named in 101 characters', having({ id: idOf(101) }), {}, 'unknown', /not name/],
  ['not named', having({ id: 7 }), {}, 'unknown', /not name/],
])('a monitor that is %s', (_, changes, facts, verdict, message) => {
  expect(one(check(changes, facts), 'registered')).toMatchObject({ verdict, message: expect.stringMatching(message) });
});

test.each<[string, Given, string, RegExp]>([
  ['its own', { headers: [json, ['Host', 'a.example']] }, 'ok', /callback_uri\.$/],
  ['behind a tunnel', { headers: [json, ['Host', 'b.example']] }, 'ok', / a\.example\.$/],
  ['of the feed', { feed: feedAt(now), target: '/x' }, 'ok', /feed/],
  ['of another path', { target: '/hooks/b?b' }, 'error', /\/hooks\/b\?b, .*\/hooks\/a\?b\.$/],
  ['of another query', { target: '/hooks/a' }, 'error', /\/hooks\/a, /],
  [
    'its own, as a whole URL',
    { target: monitor.callback_uri, headers: [json, ['Host', 'x']] },
    'ok',
    /callback_uri\.$/,
  ],
  ['its own, encoded', { target: '/hooks/%61?b', headers: [json, ['Host', 'a.example']] }, 'ok', /callback_uri\.$/],
  ['of a long path', { target: `/${'a'.repeat(5000)}` }, 'error', /^.{0,300}$/],
  ['unknown', having({ callback_uri: 7 }), 'unknown', /no callback_uri/],
])('an address that is %s', (_, changes, verdict, message) => {
  expect(one(check(changes), 'address')).toMatchObject({ verdict, message: expect.stringMatching(message) });
});

const seconds = (before: number) => now - before * 1000;
const earlier = (secondsBefore: number, changes: Partial<EarlierCallback> = {}): EarlierCallback => ({
  id: 8,
  receivedAt: seconds(secondsBefore),
  event: { id: 'evt_8', timestamp: undefined },
  counts: true,
  ...changes,
});
const same = { event: { id: 'evt_9', timestamp: undefined } };
const byTime: Given = { headers: [json, event, ['webhook-timestamp', String(now / 1000)]] };
const signed = (secondsBefore: number) => ({ id: 'evt_8', timestamp: String(seconds(secondsBefore) / 1000) });
const earlyFeed = feedAt(seconds(4000));
const sentNow = { evidence: { sentAt: now } };

describe('the hour', () => {
  test.each<[string, EarlierCallback[], Given, Facts, string, RegExp]>([
    ['of no event', [], {}, { evidence: { counts: false, reason: 'of a reason' } }, 'unknown', /of a reason\.$/],
    ['of what may be one', [], {}, { evidence: { counts: undefined, reason: 'r' } }, 'unknown', /r\.$/],
    ['of the first event', [], {}, {}, 'ok', /first/],
    ['of another attempt', [earlier(9, same)], {}, {}, 'ok', /attempt.* 8\.$/],
    ['of the same from the feed', [earlier(9, { ...same, feed: feedAt(now) })], {}, {}, 'ok', /8.*feed\.$/],
    ['of the same as a request', [earlier(9, same)], { feed: feedAt(now) }, {}, 'ok', /8.*request\.$/],
    ['by the times of receipt', [earlier(3661)], {}, {}, 'ok', /^1 h 1 min 1 s /],
    ['by the service’s log', [earlier(9, { sentAt: seconds(4000) })], {}, sentNow, 'ok', /^1 h 6 min 40 s /],
    ['without the log of one', [earlier(9, { sentAt: seconds(4000) })], {}, {}, 'error', /^Only 9 s /],
    ['by timestamps', [earlier(9, { event: signed(4000) })], byTime, {}, 'ok', /^1 h 6 min 40 s /],
    ['without the timestamp of one', [earlier(9, { event: signed(4000) })], {}, {}, 'error', /^Only 9 s /],
    ['by the feed and the log', [earlier(9, { feed: earlyFeed })], {}, sentNow, 'ok', /^1 h 6 min 40 s /],
    ['by the feed and a timestamp', [earlier(9, { feed: earlyFeed })], byTime, {}, 'ok', /^1 h 6 min 40 s /],
    ['by the log and the feed', [earlier(9, { sentAt: seconds(4000) })], { feed: feedAt(now) }, {}, 'ok', /^1 h 6 /],
    ['by timestamps, too soon', [earlier(5, { event: signed(900) })], byTime, {}, 'error', /^Only 15 min /],
    [
      'of the nearest event in time',
      [earlier(5, { event: signed(9000) }), earlier(10, { id: 7, event: { ...signed(1000), id: 'evt_7' } })],
      byTime,
      {},
      'error',
      /^Only 16 min 40 s after the event in callback 7\./,
    ],
    ['of the first attempt of the event before', [earlier(600), earlier(3700, { id: 7 })], {}, {}, 'ok', /./],
    ['of a test event', [earlier(5)], { headers: [json, ['webhook-id', 'test_1']] }, {}, 'ok', /./],
    ['of the first event, after callbacks that are none', [earlier(5, { counts: false })], {}, {}, 'ok', /first/],
  ])('%s', (_, others, changes, facts, verdict, message) => {
    const checks = check(changes, { ...facts, earlier: others });
    expect(one(checks, 'hour')).toMatchObject({ verdict, message: expect.stringMatching(message) });
  });

  test.each([
    [3600, 'ok', '1 h after'],
    [7261, 'ok', '2 h 1 min 1 s after'],
    [3599, 'warning', 'Only 59 min 59 s'],
    [3585, 'warning', 'Only 59 min 45 s'],
    [3584, 'error', 'Only 59 min 44 s'],
    [3000, 'error', 'Only 50 min after the event in callback 8'],
    [0, 'error', 'Only 0 s'],
    [-3599, 'error', 'out of order'],
    [-3600, 'warning', ''],
  ])('%i s after the previous event is %s', (secondsBefore, verdict, words) => {
    const hour = one(check({}, { earlier: [earlier(secondsBefore)] }), 'hour');
    expect(hour).toMatchObject({ verdict, message: expect.stringContaining(words) });
  });

  test('names events that were sent out of order, and never a negative time', () => {
    const hourAfter = (later: number) =>
      one(check(byTime, { earlier: [earlier(5, { event: signed(-later) })] }), 'hour');
    expect(hourAfter(600)).toEqual({
      check: 'hour',
      verdict: 'error',
      breach: 'out-of-order',
      message:
        'Sent out of order: its timestamp is 10 min before that of callback 8. Events are guaranteed to be at least 1 h apart.',
    });
    expect(hourAfter(5000)).toMatchObject({ verdict: 'warning', message: expect.not.stringContaining('-') });
  });
});

const seen = (counts: boolean | undefined, id: string | undefined = 'evt_9') => [
  earlier(1, { counts, event: { id, timestamp: undefined } }),
];

test.each<[string, HeaderList, string | null, boolean | undefined, EarlierCallback[], string]>([
  ['a test', [['webhook-id', 'test_1']], null, false, [], 'test'],
  ['without a monitor', [event], null, true, seen(true), 'other'],
  ['an event', [event], 'm', true, [], 'event'],
  ['what may be an event', [event], 'm', undefined, [], 'event'],
  ['not an event', [event], 'm', false, [], 'other'],
  ['seen before', [event], 'm', true, [...seen(true, 'evt_1'), ...seen(true)], 'retry'],
  ['perhaps seen before', [event], 'm', false, seen(undefined), 'retry'],
  ['like one that was not an event', [event], 'm', true, seen(false), 'event'],
  [
    'without an ID, like others',
    [],
    'm',
    true,
    [earlier(1, { event: { id: undefined, timestamp: undefined } })],
    'event',
  ],
])('a callback that is %s', (_, headers, monitorId, counts, others, kind) => {
  const found = { event: { id: headers[0]?.[1], timestamp: undefined }, counts };
  expect(kindOf({ monitorId }, found, others)).toBe(kind);
});

describe('an event that the monitor’s owner chose', () => {
  const bodyOf = async (name: string, kind = `precipitation.${name}`) => {
    const text = await readFile(new URL(`../../../fixtures/rain-events/${name}.json`, import.meta.url), 'utf8');
    const event = JSON.parse(text) as { data: object };
    return { ...event, type: kind, data: { ...event.data, monitor } };
  };

  test('passes every check', async () => {
    const checks = check({ body: await bodyOf('started') });
    expect(checks.map((each) => `${each.check} ${each.verdict}`)).toEqual([
      'request ok',
      'monitor ok',
      'registered ok',
      'address ok',
      'hour ok',
      'signature unknown',
    ]);
    expect(one(checks, 'monitor').message).toBe('The body is a precipitation.started event.');
  });

  test('may follow within the hour, and a start may follow it, but not another start', async () => {
    const hour = async (name: string, before: Partial<EarlierCallback>) =>
      one(check({ body: await bodyOf(name) }, { earlier: [earlier(600, before)] }), 'hour').verdict;
    expect([await hour('ended', {}), await hour('started', { isFollowUp: true }), await hour('started', {})]).toEqual([
      'none',
      'ok',
      'error',
    ]);
  });

  test('that lacks a member differs from its schema', async () => {
    const { data, ...rest } = await bodyOf('started');
    const { sequence: _, ...others } = data as { sequence?: number };
    expect(one(check({ body: { ...rest, data: others } }), 'monitor')).toMatchObject({
      verdict: 'error',
      message: expect.stringContaining('data, sequence: is missing') as string,
    });
  });
});
