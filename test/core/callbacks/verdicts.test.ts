// The verdict on each stored callback as a whole (docs/receiver.md#verdicts; docs/interface.md §6 and §8).
import { describe, expect, test } from 'vitest';
import type { CallbackCheck } from '#contract/app-rpc/callbacks.ts';
import { type CheckFacts, verdictNameOf } from '#core/receiver/checks/callback-checks.ts';
import { readEvent } from '#core/receiver/checks/event-evidence.ts';
import type { StoredCallback } from '#core/receiver/records/stored-callback.ts';
import { noon, openCallbackStore, ownUri, receivedCallback } from './callback-store.ts';
import { noFacts, storedCallback } from './stored-callback.ts';
import { Webhook } from 'standardwebhooks';
import { monitorBody } from './callback-harness.ts';

type Given = Pick<CheckFacts, 'signing'> & { callback: StoredCallback; checks: CallbackCheck[]; counts: boolean };

const check = (name: CallbackCheck['check'], verdict: CallbackCheck['verdict'], more = {}): CallbackCheck => ({
  check: name,
  verdict,
  message: '',
  ...more,
});

describe('the name of a verdict', () => {
  const callback = storedCallback({ monitorId: 'precipitation_1', headers: [] });
  const given: Given = {
    callback,
    checks: [check('signature', 'ok')],
    counts: true,
    signing: noFacts.signing,
  };
  const testEvent = { callback: { ...callback, headers: [['webhook-id', 'test_1']] as [string, string][] } };
  const proven = [check('signature', 'ok')];
  const wrong = [check('signature', 'error')];
  const early = [check('monitor', 'error'), check('hour', 'error', { breach: 'too-soon' })];
  const fails = { counts: false };
  const signed = { callback: { ...callback, headers: [['Webhook-Signature', 'v1,a']] as [string, string][] } };
  const secrets = { signing: { secrets: ['whsec_a'], isClockMovable: false } };
  const logs = { signing: { ...noFacts.signing, hasDeliveryLog: true } };

  test.each<[string, Partial<Given>, string]>([
    ['an event with warnings', { checks: [check('monitor', 'warning'), ...proven] }, 'verified'],
    ['an event whose hour is wrong without a breach', { checks: [check('hour', 'error'), ...proven] }, 'verified'],
    ['an event whose signature can’t be checked', { ...signed, checks: [check('signature', 'unknown')] }, 'signed'],
    ['no monitor', { callback: { ...callback, monitorId: null }, checks: wrong }, 'request'],
    ['a wrong signature', { ...testEvent, checks: wrong }, 'invalid'],
    ['an import', { callback: { ...callback, isImported: true }, checks: early }, 'request'],
    ['a replay', { callback: { ...callback, headers: [['X-Rainbell-Replay', '1']] }, checks: early }, 'request'],
    ['a forward', { callback: { ...callback, headers: [['x-rainbell-forwarded', '1']] } }, 'request'],
    ['one out of order', { checks: [check('hour', 'warning', { breach: 'out-of-order' })] }, 'out-of-order'],
    ['no Monitor object', { checks: [check('monitor', 'error')] }, 'invalid'],
    ['a wrong request', { checks: [check('request', 'error')] }, 'invalid'],
    ['no proof', fails, 'request'],
    ['no proof but a signature', { ...fails, ...signed, ...secrets }, 'request'],
    ['no signature, though a secret is known', { ...fails, ...secrets }, 'unsigned'],
    ['no signature, though the service signs', { ...fails, ...logs }, 'unsigned'],
    ['a signature of a service that signs', { ...fails, ...logs, ...signed }, 'request'],
  ])('with %s', (_, changes, name) => {
    const { callback: judged, checks, counts, ...facts } = { ...given, ...changes };
    expect(verdictNameOf(judged, { ...readEvent(judged, noFacts), counts }, checks, facts)).toBe(name);
  });
});

const hour = 3_600_000;

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const signs = { signing: { secrets: [secret], isClockMovable: false } };

describe('the verdict', () => {
  const rows = [
    receivedCallback({ headers: ['webhook-id', 'evt_1'] }),
    receivedCallback({ headers: ['webhook-id', 'evt_1'], receivedAt: noon + 1000 }),
    receivedCallback({ headers: ['webhook-id', 'evt_2'], receivedAt: noon + 600_000 }),
    receivedCallback({ receivedAt: noon + 2 * hour }),
    receivedCallback({ headers: ['webhook-id', 'test_1'], receivedAt: noon + 3 * hour }),
    receivedCallback({ isImported: true, receivedAt: noon + 4 * hour }),
    receivedCallback({ target: '/hooks/b', receivedAt: noon + 5 * hour }),
    receivedCallback({ id: 'precipitation_2', receivedAt: noon + 6 * hour }),
    receivedCallback({ body: 'rain', receivedAt: noon + 7 * hour }),
    receivedCallback({ refusal: 'timeout', answeredStatus: 408, receivedAt: noon + 8 * hour }),
  ];
  const none = { verdict: 'warning', verdictName: 'request', isMonitorOwn: false };
  const expected = [
    { verdict: 'ok', verdictName: 'unsigned', kind: 'event', isMonitorOwn: true, hour: 'ok' },
    { verdict: 'ok', verdictName: 'unsigned', kind: 'retry', isMonitorOwn: true, hour: 'ok' },
    { verdict: 'error', verdictName: 'too-soon', kind: 'event', isMonitorOwn: true, hour: 'error' },
    { verdict: 'ok', verdictName: 'unsigned', kind: 'event', isMonitorOwn: true, hour: 'ok' },
    { ...none, kind: 'test', isMonitorOwn: true, hour: 'ok' },
    { ...none, kind: 'other', hour: 'unknown' },
    { ...none, verdict: 'unknown', kind: 'other', hour: 'unknown', isOther: true as const },
    { ...none, kind: 'other', hour: 'unknown' },
    { verdict: 'error', verdictName: 'request', kind: 'other', isMonitorOwn: false, hour: 'unknown' },
    { verdict: 'error', verdictName: 'refused', kind: 'refused', isMonitorOwn: false, hour: 'unknown' },
  ];
  const ids = rows.map((_, index) => index + 1);

  test('is the same by ID and by the whole callback', () => {
    const { validator } = openCallbackStore(rows);
    expect(ids.map((id) => validator.validateById(id))).toEqual(expected);
    const other = openCallbackStore(rows);
    const validated = [...other.pages.rows({}, 'oldestFirst')].map(other.validator.validate);
    expect(validated).toEqual(expected);
  });

  test('is in the summary, of a row and of a whole callback', () => {
    const { validator, pages } = openCallbackStore(rows);
    const ofRows = pages.page({ beforeId: undefined, limit: 100 }).map(validator.summaryOf);
    expect([...pages.rows({})].map(validator.summaryOf)).toStrictEqual(ofRows);
    expect(ofRows.toReversed()).toMatchObject(
      expected.map(({ verdict, verdictName, kind, isMonitorOwn }) => ({ verdict, verdictName, kind, isMonitorOwn })),
    );
    expect(ofRows.at(-1)).toMatchObject({ id: 1, receivedAt: '2026-11-21T12:00:00.000Z', hasNote: false });
  });

  test.each<[string, object, boolean]>([
    ['as long as the monitors are unknown', { urls: () => undefined }, true],
    ['at the URL of a monitor whose service signs', { facts: signs }, true],
    ['elsewhere', { urls: () => new Map([['precipitation_1', 'http://127.0.0.1/b']]), facts: signs }, false],
    ['of another connection', { urls: () => new Map([['precipitation_2', ownUri]]), facts: signs }, false],
  ])('says whether it is a monitor’s own: %s', (_, facts, isMonitorOwn) => {
    const { validator } = openCallbackStore([receivedCallback()], facts);
    expect(validator.validateById(1).isMonitorOwn).toBe(isMonitorOwn);
  });

  test('has one check for a refused request', () => {
    const { validator, pages } = openCallbackStore(rows);
    const refused = pages.get(10);
    expect(refused && validator.checksOf(refused)).toMatchObject([{ check: 'request', verdict: 'error' }]);
  });

  test('is doubted if the store is damaged', () => {
    const few = [rows[0], rows[3], receivedCallback({ body: '{}' })].filter((row) => row !== undefined);
    const storage = ({ validator, pages }: ReturnType<typeof openCallbackStore>) =>
      [...pages.rows({}, 'oldestFirst')].map((row) => validator.checksOf(row).some((one) => one.check === 'storage'));
    expect(storage(openCallbackStore(few))).toEqual([false, false, false]);
    expect(storage(openCallbackStore(few, { facts: { isDamaged: true } }))).toEqual([true, true, true]);
  });

  test('compares with the last event behind up to 200 callbacks that are none', () => {
    const fakes = (count: number) =>
      Array.from({ length: count }, () => receivedCallback({ target: '/fake', receivedAt: noon + 1000 }));
    const last = receivedCallback({ receivedAt: noon + 60_000 });
    const nameBehind = (count: number) => {
      const { validator } = openCallbackStore([receivedCallback(), ...fakes(count), last]);
      return validator.validateById(count + 2).verdictName;
    };
    expect([0, 19, 20, 199].map(nameBehind)).toEqual(['too-soon', 'too-soon', 'too-soon', 'too-soon']);
    expect(nameBehind(200)).toBe('unsigned');
  });

  test('follows the delivery log of the monitor', () => {
    const marked = rows.map((row) => ({ ...row, rawHeaders: [...row.rawHeaders, 'rainbell-event', '1'] }));
    const log = { events: new Map([['evt_1', noon]]), from: noon - 1, to: noon + 3 * hour };
    const deliveryLog = (monitorId: string) => (monitorId === 'precipitation_1' ? log : undefined);
    const { validator } = openCallbackStore(marked.slice(0, 4), { facts: { deliveryLog }, urls: () => new Map() });
    const names = [1, 2, 3, 4].map((id) => validator.validateById(id).verdictName);
    expect(names).toEqual(['unsigned', 'unsigned', 'request', 'request']);
  });
});

describe('the newest event of a monitor', () => {
  const fake = (minutes: number) => receivedCallback({ target: '/fake', receivedAt: noon + minutes * 60_000 });

  test('is not a fake, one of the feed, or one of another monitor', () => {
    const { validator, writer } = openCallbackStore(
      [
        receivedCallback(),
        receivedCallback({ receivedAt: noon + 2 * hour }),
        fake(180),
        receivedCallback({ isImported: true, receivedAt: noon + 4 * hour }),
        receivedCallback({ id: 'precipitation_2', receivedAt: noon + 5 * hour }),
      ],
      { facts: { connectionId: 'a' } },
    );
    const byFeed = receivedCallback({ feedEvent: { id: 'evt_f', occurredAt: noon }, receivedAt: noon + 6 * hour });
    writer.appendFeed([byFeed], { connectionId: 'a', source: 'b', cursor: 'c' });
    expect(validator.newestOf('precipitation_1')).toEqual({ id: 2, receivedAt: '2026-11-21T14:00:00.000Z' });
    expect(validator.newestOf('precipitation_2')).toBeNull();
    expect(validator.newestOf('precipitation_3')).toBeNull();
    expect(validator.validateById(6).verdictName).toBe('verified');
  });

  test('may be a proven test', () => {
    const test = receivedCallback({ headers: ['webhook-id', 'test_1'], receivedAt: noon + hour });
    const { validator } = openCallbackStore([receivedCallback(), test]);
    expect(validator.newestOf('precipitation_1')).toEqual({ id: 2, receivedAt: '2026-11-21T13:00:00.000Z' });
  });
});

const day = 86_400;

function signed(
  id: string,
  { seconds = noon / 1000, monitor = 'precipitation_1', lng = 7.7, target = '/hooks/a' } = {},
) {
  const geo = { type: 'Point', coordinates: [lng, 45.1] };
  const body = JSON.stringify({ ...monitorBody(monitor, ownUri), geo });
  const signature = new Webhook(secret).sign(id, new Date(seconds * 1000), body);
  const headers = ['webhook-id', id, 'webhook-timestamp', String(seconds), 'webhook-signature', signature];
  return receivedCallback({ body, target, headers: [...headers, 'rainbell-event', '1'] });
}

const knowing = {
  facts: { signing: { secrets: [secret], isClockMovable: true } },
  placeOf: () => ({ lat: 45.1, lng: 7.7 }),
};
const others = Array.from({ length: 300 }, (_, index) => signed(`evt_other_${index}`));

test.each([
  ['right in every way', [signed('evt_1')], knowing, 'verified'],
  ['sent by a clock that was moved forward', [signed('evt_1', { seconds: noon / 1000 + day })], knowing, 'verified'],
  ['at another path', [signed('evt_1', { target: '/hooks/somewhere-else' })], knowing, 'invalid'],
  ['a byte-identical second one', [signed('evt_1'), signed('evt_1')], knowing, 'invalid'],
  ['a byte-identical one behind 300 others', [signed('evt_1'), ...others, signed('evt_1')], knowing, 'invalid'],
  ['at the path of a service that does not sign', [receivedCallback()], {}, 'unsigned'],
  ['a day old, for the sandbox', [signed('evt_1', { seconds: noon / 1000 - day })], knowing, 'invalid'],
  ['of an unknown monitor', [signed('evt_1', { monitor: 'precipitation_9' })], knowing, 'signed'],
  ['about another place', [signed('evt_1', { lng: 8.7 })], knowing, 'signed'],
])('an event %s', (_, rows, facts, verdictName) => {
  const { validator } = openCallbackStore(rows, facts);
  expect(validator.validateById(rows.length).verdictName).toBe(verdictName);
});

test('has the place of the monitor', () => {
  const { validator, pages } = openCallbackStore([signed('evt_1', { lng: 8.7 })], knowing);
  const [row] = pages.rows({});
  expect(row && validator.checksOf(row)).toContainEqual({
    check: 'registered',
    verdict: 'warning',
    message: 'The body’s location is 45.1, 8.7, but precipitation_1 is at 45.1, 7.7. It may have been moved since.',
  });
});

test('another list of monitors makes verdicts again, and so does a newer one that lacks the monitor', () => {
  const other = new Map([['precipitation_2', ownUri]]);
  let [monitors, listedAt]: [ReadonlyMap<string, string> | undefined, number] = [undefined, Infinity];
  const { validator, reads } = openCallbackStore([receivedCallback()], {
    urls: () => monitors,
    listedAt: () => listedAt,
  });
  /** The verdict with this list, and whether the callback was read for it. */
  const validateWith = (list: typeof monitors, at = Infinity) => {
    const before = reads();
    [monitors, listedAt] = [list, at];
    return [validator.validateById(1).verdictName, reads() > before];
  };
  expect([validateWith(undefined), validateWith(undefined)]).toEqual([
    ['unknown', true],
    ['unknown', false],
  ]);
  const own = new Map([['precipitation_1', ownUri]]);
  expect([validateWith(own), validateWith(own)]).toEqual([
    ['unsigned', true],
    ['unsigned', false],
  ]);
  const isRead = [-1, -1, 1, 2].map((ms) => validateWith(other, noon + ms)[1]);
  expect(isRead).toEqual([true, false, true, false]);
  expect(validateWith(undefined)).toEqual(['unknown', true]);
});
