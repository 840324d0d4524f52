// Requests that are not proven events, each with one thing that is wrong.
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { monitorBody } from './callback-harness.ts';
import { noon, openCallbackStore, ownUri, receivedCallback } from './callback-store.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
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
  signing: () => ({ secrets: [secret], isClockMovable: true }),
  placeOf: () => ({ lat: 45.1, lng: 7.7 }),
};
const others = Array.from({ length: 300 }, (_, index) => signed(`evt_other_${index}`));
const signsNothing = { signing: () => ({ secrets: [], isClockMovable: false }) };

test.each([
  ['right in every way', [signed('evt_1')], knowing, 'verified'],
  ['sent by a clock that was moved forward', [signed('evt_1', { seconds: noon / 1000 + day })], knowing, 'verified'],
  ['at another path', [signed('evt_1', { target: '/hooks/somewhere-else' })], knowing, 'invalid'],
  ['a byte-identical second one', [signed('evt_1'), signed('evt_1')], knowing, 'invalid'],
  ['a byte-identical one behind 300 others', [signed('evt_1'), ...others, signed('evt_1')], knowing, 'invalid'],
  ['at the path of a service that does not sign', [receivedCallback()], signsNothing, 'unsigned'],
  ['a day old, for the sandbox', [signed('evt_1', { seconds: noon / 1000 - day })], knowing, 'invalid'],
  ['of an unknown monitor', [signed('evt_1', { monitor: 'precipitation_9' })], knowing, 'signed'],
  ['about another place', [signed('evt_1', { lng: 8.7 })], knowing, 'signed'],
])('an event %s', (_, rows, facts, verdictName) => {
  const { validator } = openCallbackStore(rows, facts);
  expect(validator.validateById(rows.length).verdictName).toBe(verdictName);
});

test('says where the monitor is', () => {
  const { validator, pages } = openCallbackStore([signed('evt_1', { lng: 8.7 })], knowing);
  const [row] = pages.rows({});
  expect(row && validator.checksOf(row)).toContainEqual({
    check: 'registered',
    verdict: 'warning',
    message: 'The body’s location is 45.1, 8.7, but precipitation_1 is at 45.1, 7.7. It may have been moved since.',
  });
});
