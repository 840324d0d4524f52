// Which signatures among several decide, which callbacks count as replays, and what the check reports about the time.
import { createHmac, generateKeyPairSync, sign as signAsymmetrically } from 'node:crypto';
import { expect, test } from 'vitest';
import { storedCallback } from '#test/core/callbacks/stored-callback.ts';
import type { EarlierCallback } from '#core/receiver/checks/earlier-callback.ts';
import { checkSignature, signatureOutcomeOf } from '#core/receiver/checks/signature-check.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const seconds = 1_780_000_000;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const publicText = `whpk_${Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')}`;
const signedText = (time: number | string) => `msg_1.${time}.{}`;
const hmacOf = (time: number | string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(signedText(time))
    .digest('base64')}`;
const ed25519Of = (time: number) =>
  `v1a,${signAsymmetrically(null, Buffer.from(signedText(time)), privateKey).toString('base64')}`;
const wrong = `v1a,${Buffer.alloc(64).toString('base64')}`;

const callback = (signature = hmacOf(seconds), { id = 'msg_1', time = String(seconds), isByFeed = false } = {}) =>
  storedCallback({
    id: 9,
    receivedAt: seconds * 1000 + 400,
    method: 'POST',
    target: '/',
    headers: [
      ['webhook-id', id],
      ['webhook-timestamp', time],
      ['webhook-signature', signature],
    ] as [string, string][],
    body: Buffer.from('{}'),
    ...(isByFeed ? { feed: { connectionId: 'a', eventId: 'msg_1', occurredAt: 0 } } : {}),
  });

test.each<[string, string, string[], string]>([
  ['the second of two public signatures', `${wrong} ${ed25519Of(seconds)}`, [publicText], 'valid'],
  ['the fourth', `${wrong} ${wrong} ${wrong} ${ed25519Of(seconds)}`, [publicText], 'valid'],
  ['no more than four', `${wrong} ${wrong} ${wrong} ${wrong} ${ed25519Of(seconds)}`, [publicText], 'wrong'],
  ['four of the known scheme', `v1,a v1,a v1,a v1,a ${ed25519Of(seconds)}`, [publicText], 'valid'],
  ['any secret', hmacOf(seconds), ['whsec_AAAA', secret], 'valid'],
  ['a secret beside a public key', hmacOf(seconds), [publicText, secret], 'valid'],
  ['a wrong one of a known scheme', 'v1,AAAA v9,b', [secret], 'wrong'],
  ['a wrong one of one of the known schemes', wrong, [secret, publicText], 'wrong'],
  ['one of an unknown scheme', 'v9,b', [secret, publicText], 'unchecked'],
  ['a part that is none', 'v1a', [secret], 'wrong'],
  ['a public signature that is too short', 'v1a,AAAA', [publicText], 'wrong'],
])('decides by %s', (_, signature, keys, outcome) => {
  expect(signatureOutcomeOf(callback(signature), keys)).toBe(outcome);
});

const signing = (isClockMovable = false) => ({ secrets: [secret], isClockMovable });

test.each([
  ['webhook-id', { id: '' }],
  ['webhook-timestamp', { time: '' }],
])('names the header that is missing: %s', (name, changes) => {
  const { verdict, message } = checkSignature(callback('v1,a', changes), signing(), []);
  expect([verdict, message]).toEqual(['error', expect.stringContaining(` ${name}, `)]);
});

const feed = { connectionId: 'a', eventId: 'msg_1', occurredAt: 0 };
const earlier = (changes: Partial<EarlierCallback> = {}): EarlierCallback => ({
  id: 3,
  receivedAt: 0,
  event: { id: 'msg_1', timestamp: String(seconds) },
  counts: true,
  ...changes,
});

test.each<[string, EarlierCallback[], boolean, boolean]>([
  ['with the same ID and time', [earlier()], false, true],
  ['with another ID', [earlier({ event: { id: 'msg_2', timestamp: String(seconds) } })], false, false],
  ['with another time', [earlier({ event: { id: 'msg_1', timestamp: '1' } })], false, false],
  ['from the feed', [earlier({ feed })], false, false],
  ['as a request, of one from the feed', [earlier()], true, false],
  ['from the feed, both', [earlier({ feed })], true, true],
])('one that came before %s', (_, others, isByFeed, isReplay) => {
  const { verdict, message } = checkSignature(callback(hmacOf(seconds), { isByFeed }), signing(), others);
  expect([verdict, message.includes('callback 3')]).toEqual([isReplay ? 'warning' : 'ok', isReplay]);
});

test.each([
  [-300, false, 'ok', /^The signature is valid\.$/],
  [300, false, 'ok', /^The signature is valid\.$/],
  [-301, false, 'error', /301 s before .* more than 300 s/],
  [301, false, 'error', /301 s after .* more than 300 s/],
  [-301, true, 'error', /301 s before .* unless you set the sandbox’s clock back/],
  [301, true, 'ok', /sandbox.* 301 s after/],
])('a time %i s from the arrival, by a clock that can be moved: %s', (offset, isMovable, verdict, message) => {
  const time = seconds + offset;
  const checked = checkSignature(callback(hmacOf(time), { time: String(time) }), signing(isMovable), []);
  expect(checked).toMatchObject({ verdict, message: expect.stringMatching(message) });
});

test.each([
  ['9'.repeat(12), 'valid'],
  ['1'.repeat(13), 'wrong'],
  ['1.5', 'wrong'],
])('a time written as %s is %s', (time, outcome) => {
  expect(signatureOutcomeOf(callback(hmacOf(time), { time }), [secret])).toBe(outcome);
});

test('five unknown schemes are named, in at most 20 characters each', () => {
  const long = `v2${'x'.repeat(19)}`;
  const schemes = [long, 'v3', 'v4', 'v4', 'v5', 'v6', 'v7'];
  const { verdict, message } = checkSignature(callback(schemes.map((one) => `${one},a`).join(' ')), signing(), []);
  expect([verdict, message.split(': ')[1]]).toEqual(['unknown', `${long.slice(0, 20)}, v3, v4, v5, v6.`]);
});
