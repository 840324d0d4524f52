// What counts as an event of a monitor: evidence, never only an ID.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import { evidenceOf, type EvidenceFacts } from '#core/receiver/checks/event-evidence.ts';
import type { StoredCallback } from '#core/receiver/records/stored-callback.ts';
import { storedCallback } from './stored-callback.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const monitorId = 'precipitation_1';
const uri = 'http://127.0.0.1:4545/hooks/a';
const at = 1_780_000_000_000;

function signed(id: string): HeaderList {
  const seconds = at / 1000;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${seconds}.{}`).digest('base64');
  return [
    ['webhook-id', id],
    ['webhook-timestamp', String(seconds)],
    ['webhook-signature', `v1,${digest}`],
  ];
}

function evidence(changes: Partial<StoredCallback> = {}, facts: Partial<EvidenceFacts> = {}) {
  const request = storedCallback({
    receivedAt: at,
    target: '/hooks/a',
    body: Buffer.from('{}'),
    monitorId,
    ...changes,
    headers: [['Host', '127.0.0.1:4545'], ...(changes.headers ?? [])],
  });
  return evidenceOf(request, {
    signing: { secrets: [], isClockMovable: false },
    monitors: new Map([[monitorId, uri]]),
    ownOrigins: [],
    log: undefined,
    ...facts,
  });
}

const signs = { signing: { secrets: [secret], isClockMovable: false } };

describe('with a service that signs', () => {
  test('only what is validly signed counts', () => {
    expect(evidence({ headers: signed('evt_1') }, signs)).toMatchObject({ counts: true });
    expect(evidence({}, signs)).toMatchObject({
      counts: false,
      reason: 'it is not signed, although this service signs callbacks',
    });
    const tampered = { headers: signed('evt_1'), body: Buffer.from('{} ') };
    expect(evidence(tampered, signs)).toMatchObject({ counts: false, reason: 'its signature is not valid' });
  });

  test('nothing counts without a secret, except what the delivery log has', () => {
    const signing = { secrets: [], isClockMovable: false, hasDeliveryLog: true };
    expect(evidence({}, { signing }).counts).toBe(false);
    expect(evidence({ headers: signed('evt_1') }, { signing }).counts).toBeUndefined();
    const log = { events: new Map([['evt_1', at - 5]]), from: at - 1e6, to: at + 1e6 };
    expect(evidence({ headers: signed('evt_1') }, { signing, log })).toMatchObject({ counts: true, sentAt: at - 5 });
    expect(evidence({ headers: signed('evt_2') }, { signing, log }).counts).toBe(false);
  });

  test('the delivery log decides if it is complete and the clock is not moved', () => {
    const log = { events: new Map([['evt_1', at]]), from: at - 1000, to: at + 1000 };
    const other = { headers: signed('evt_2') };
    expect(evidence(other, { ...signs, log })).toMatchObject({
      counts: false,
      reason: 'it is not in the service’s delivery log',
    });
    expect(evidence(other, { ...signs, log: { ...log, to: at - 1 } }).counts).toBe(true);
    expect(evidence(other, { signing: { ...signs.signing, isClockMovable: true }, log }).counts).toBe(true);
  });
});

describe('with a service that does not sign', () => {
  test('a callback to the monitor’s callback URL counts', () => {
    expect(evidence()).toMatchObject({ counts: true, isByPath: true });
    expect(evidence({ target: '/hooks/b' }).counts).toBe(false);
  });

  test('another connection with the same IDs has none of it', () => {
    const elsewhere = new Map([[monitorId, 'https://cust.example.com/hooks/a']]);
    expect(evidence({}, { monitors: elsewhere }).counts).toBe(false);
    expect(evidence({}, { monitors: new Map([['precipitation_2', uri]]) }).counts).toBe(false);
    expect(evidence({}, { monitors: undefined }).counts).toBeUndefined();
  });

  test('a known tunnel in between may change the host', () => {
    const monitors = new Map([[monitorId, 'https://tunnel.example/hooks/a']]);
    expect(evidence({}, { monitors }).counts).toBe(false);
    expect(evidence({}, { monitors, ownOrigins: ['https://tunnel.example'] }).counts).toBe(true);
  });
});

test.each([
  ['an import', { isImported: true }],
  ['a replay', { headers: [...signed('evt_1'), ['x-rainbell-replay', '7']] as HeaderList }],
  ['a test event', { headers: signed('test_1') }],
  ['a body that names no monitor', { monitorId: null, headers: signed('evt_1') }],
])('%s never counts', (_what, changes) => {
  expect(evidence(changes, signs).counts).toBe(false);
  expect(evidence(changes).counts).toBe(false);
});
