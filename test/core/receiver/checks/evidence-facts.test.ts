// Which fact decides whether a request counts as an event, and the reason that is shown.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { StoredCallback } from '#core/receiver/records/stored-callback.ts';
import { noFacts, storedCallback } from '#test/core/callbacks/stored-callback.ts';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import { readEvent, isOwnPath, type EvidenceFacts } from '#core/receiver/checks/event-evidence.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const at = 1_780_000_000_000;
const uri = 'https://a.example/hooks/a?b';
const logOf = (changes: object) => ({
  deliveryLog: () => ({ events: new Map([['evt_1', at - 5]]), from: at - 1000, to: at + 1000, ...changes }),
});
const log = logOf({});
const signs = { signing: { secrets: [secret], isClockMovable: false } };
const movable = { signing: { ...signs.signing, isClockMovable: true } };
const hasLog = { signing: { ...noFacts.signing, hasDeliveryLog: true } };
const unknownScheme: HeaderList = [
  ['webhook-timestamp', '1'],
  ['webhook-signature', 'v2,a'],
];
const feed = { connectionId: 'c', eventId: 'evt_2', occurredAt: at };

function headersOf(id: string | undefined, more: HeaderList = []): HeaderList {
  const headers: HeaderList = [['Host', 'A.example'], ...more];
  return id === undefined ? headers : [...headers, ['webhook-id', id]];
}

function signed(id: string, more: HeaderList = []): HeaderList {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const text = createHmac('sha256', key)
    .update(`${id}.${at / 1000}.{}`)
    .digest('base64');
  return headersOf(id, [['webhook-timestamp', String(at / 1000)], ['webhook-signature', `v1,${text}`], ...more]);
}

test.each<[string, Partial<StoredCallback>, Partial<EvidenceFacts>, boolean | undefined, RegExp]>([
  ['an import', { isImported: true }, {}, false, /imported/],
  ['no monitor', { monitorId: null }, {}, false, /not name a monitor/],
  ['a replay', { headers: signed('evt_1', [['X-Rainbell-Replay', '1']]) }, signs, false, /replayed/],
  ['a forwarded one', { headers: signed('evt_1', [['X-Rainbell-Forwarded', '1']]) }, signs, false, /replayed/],
  ['a valid signature', { headers: signed('evt_2') }, signs, true, /signature is valid/],
  ['a wrong signature', { headers: signed('evt_2'), body: Buffer.from('x') }, signs, false, /not valid/],
  ['no signature', {}, signs, false, /not signed/],
  ['the log', { headers: signed('evt_1') }, { ...signs, ...log }, true, /in the service’s delivery log/],
  ['a log without it', { headers: signed('evt_2') }, { ...signs, ...log }, false, /not in the service’s delivery log/],
  ['the start of the log', { headers: signed('evt_2') }, { ...signs, ...logOf({ from: at }) }, true, /valid/],
  ['the end of the log', { headers: signed('evt_2') }, { ...signs, ...logOf({ to: at }) }, true, /valid/],
  ['just after its start', { headers: signed('evt_2') }, { ...signs, ...logOf({ from: at - 1 }) }, false, /log/],
  ['just before its end', { headers: signed('evt_2') }, { ...signs, ...logOf({ to: at + 1 }) }, false, /log/],
  ['a log whose clock was moved', { headers: signed('evt_2') }, { ...movable, ...log }, true, /valid/],
  ['a log and no ID', { headers: headersOf(undefined) }, log, true, /callback URL/],
  ['a log and an unsigned ID', { headers: headersOf('evt_2') }, log, false, /log/],
  ['the feed', { feed }, { connectionId: 'c', monitors: undefined }, true, /feed/],
  ['the feed and a log without it', { feed, headers: headersOf('evt_2') }, { connectionId: 'c', ...log }, true, /feed/],
  ['the feed of another connection', { feed }, { connectionId: 'd', monitors: undefined }, undefined, /fetched/],
  ['an unknown scheme', { headers: headersOf('evt_2', unknownScheme) }, signs, undefined, /no key/],
  ['a signature without a secret', { headers: signed('evt_2') }, hasLog, undefined, /no secret/],
  ['no signature from a service with a log', {}, hasLog, false, /not signed/],
  ['the callback URL', {}, {}, true, /callback URL$/],
  ['another path', { target: '/hooks/a' }, {}, false, /did not arrive at the callback URL of m$/],
  ['an unknown monitor', {}, { monitors: new Map() }, false, /m is not a monitor in/],
  ['monitors that are not fetched', {}, { monitors: undefined }, undefined, /fetched/],
  ['a monitor without a callback URL', {}, { monitors: new Map([['m', null]]) }, false, /did not arrive/],
])('decides by %s', (_, changes, facts, counts, reason) => {
  const request = { receivedAt: at, target: '/hooks/a?b', headers: headersOf(undefined), monitorId: 'm' };
  const found = readEvent(storedCallback({ ...request, body: Buffer.from('{}'), ...changes }), {
    ...noFacts,
    monitors: new Map([['m', uri]]),
    ...facts,
  });
  expect(found).toMatchObject({ counts, reason: expect.stringMatching(reason) });
  // Only the log has the time at which the service sent it, and only the callback URL is a match by path.
  const isByLog = /in the/.test(found.reason) && counts === true && found.reason.includes('log');
  expect([found.sentAt, found.isByPath]).toEqual([
    isByLog ? at - 5 : undefined,
    found.counts === true && found.reason.includes('URL') ? true : undefined,
  ]);
});

test.each([
  ['a valid one', signed('test_1'), signs, true],
  ['one with a wrong signature', signed('test_1').with(1, ['webhook-timestamp', '7']), signs, false],
  ['an unsigned one', headersOf('test_1'), signs, false],
])('a test event never counts, and is proven only by its signature: %s', (_, headers, facts, isProvenTest) => {
  const request = { receivedAt: at, target: '/hooks/a?b', headers, monitorId: 'm', body: Buffer.from('{}') };
  const found = readEvent(storedCallback(request), { ...noFacts, ...log, ...facts });
  expect(found).toMatchObject({ counts: false, reason: 'it is a test event', isProvenTest });
  expect(found.sentAt ?? found.isByPath).toBeUndefined();
});

test.each<[string, string, string | null, string[], boolean]>([
  ['/hooks/a?b', 'A.EXAMPLE', uri, [], true],
  ['/hooks/a?b', 'b.example', uri, [], false],
  ['/hooks/a?b', 'b.example', uri, ['https://a.example'], true],
  ['/hooks/a?b', 'b.example', uri, ['http://a.example'], false],
  ['/hooks/a', 'a.example', uri, ['https://a.example'], false],
  ['/hooks/a?c', 'a.example', uri, [], false],
  ['https://a.example/hooks/a?b', 'b.example', uri, [], true],
  ['http://b.example/hooks/a?b', 'a.example', uri, [], false],
  ['/hooks/%61?b', 'a.example:443', uri, [], true],
  ['/hooks/a?b', 'a.example', null, ['https://a.example'], false],
  ['/hooks/a?b', 'a.example', 'nonsense', ['https://a.example'], false],
])('%s at %s is the own path of %s with the origins %j: %s', (target, host, url, origins, isOwn) => {
  expect(isOwnPath({ target, headers: [['host', host]] }, url, origins)).toBe(isOwn);
});
