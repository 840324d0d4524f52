// The signatures of callbacks (Standard Webhooks 1.0): which of several decide, which callbacks are replays, and what the check says.
import { createHmac, generateKeyPairSync, sign as signAsymmetrically } from 'node:crypto';
import { expect, test } from 'vitest';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import { noFacts, storedCallback } from '#test/core/callbacks/stored-callback.ts';
import { checkReplay } from '#core/receiver/checks/callback-checks.ts';
import { type EarlierCallback, readEvent, type SigningFacts } from '#core/receiver/checks/event-evidence.ts';
import { isWebhookKey } from '#core/connection/webhook-secrets.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const seconds = 1_780_000_000;
const body = '{"test": 2432232314}';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const publicText = `whpk_${Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')}`;

type Signed = { id?: string; time?: number | string; text?: string; key?: string };

const hmacOf = ({ id = 'msg_1', time = seconds, text = body, key = secret }: Signed = {}) =>
  `v1,${createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`${id}.${time}.${text}`)
    .digest('base64')}`;
const ed25519Of = (text = body) =>
  `v1a,${signAsymmetrically(null, Buffer.from(`msg_1.${seconds}.${text}`), privateKey).toString('base64')}`;
const wrong = `v1a,${Buffer.alloc(64).toString('base64')}`;

type Given = { id?: string; time?: string; isByFeed?: boolean; truncated?: boolean };

function callback(signature = hmacOf(), { id = 'msg_1', time = String(seconds), isByFeed, truncated }: Given = {}) {
  const headers: HeaderList = [
    ['webhook-id', id],
    ['Webhook-Timestamp', time],
    ['webhook-signature', signature],
  ];
  return storedCallback({
    id: 9,
    receivedAt: seconds * 1000 + 400,
    headers: headers.filter(([name]) => name !== 'webhook-signature' || signature !== ''),
    body: Buffer.from(body),
    truncated: truncated === true,
    ...(isByFeed && { feed: { connectionId: 'a', eventId: 'msg_1', occurredAt: 0 } }),
  });
}

function check(given: ReturnType<typeof callback>, facts: Partial<SigningFacts> = {}, earlier: EarlierCallback[] = []) {
  return checkReplay(eventOf(given, facts), earlier);
}

const eventOf = (given: ReturnType<typeof callback>, facts: Partial<SigningFacts>) =>
  readEvent(given, { ...noFacts, signing: { secrets: [secret], isClockMovable: false, ...facts } });

test('the specification’s own example is accepted', () => {
  const example = callback('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=', {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    time: '1614265330',
  });
  // Its timestamp is of 2021, and the callback arrives later.
  expect(check(example).message).toMatch(/^The signature is valid, but its timestamp/);
});

test.each<[string, Parameters<typeof callback>, string[], string, string]>([
  ['a valid one', [], [secret], 'ok', 'valid'],
  ['a wrong one', [hmacOf({ text: '{}' })], [secret], 'error', 'wrong'],
  ['one without a known secret', [], [], 'unknown', 'no secret'],
  ['none where a secret is known', [''], [secret], 'warning', 'is not signed'],
  ['none where no secret is known', [''], [], 'unknown', 'is not signed'],
  ['one without an ID', [undefined, { id: '' }], [secret], 'error', ' webhook-id, '],
  ['one without a time', [undefined, { time: '' }], [secret], 'error', ' webhook-timestamp, '],
  ['one with a time that is none', [undefined, { time: 'noon' }], [secret], 'error', 'not a time'],
  ['one that is not written as the standard has it', ['v1,a'], [secret], 'error', 'not written'],
  ['one over a body that was cut', [undefined, { truncated: true }], [secret], 'unknown', 'truncated'],
  ['a public one without a public key', [ed25519Of()], [secret], 'unknown', 'no public key'],
  ['a secret’s one where only a public key is known', [], [publicText], 'unknown', 'only a public key'],
])('says of %s what it is', (_, given, secrets, verdict, words) => {
  const message = expect.stringContaining(words);
  expect(check(callback(...given), { secrets })).toMatchObject({ check: 'signature', verdict, message });
});

const otherKey = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

test.each<[string, string, string[], string]>([
  ['any secret', hmacOf(), ['whsec_AAAA', secret], 'valid'],
  ['a valid one beside others', `v1a,xx v1,AAAA ${hmacOf()}`, [secret], 'valid'],
  ['no other secret', hmacOf({ key: otherKey }), [secret], 'wrong'],
  ['a public signature', ed25519Of(), [publicText], 'valid'],
  ['a secret beside a public key', hmacOf(), [publicText, secret], 'valid'],
  ['a secret beside a wrong public signature', `${hmacOf()} ${ed25519Of('{}')}`, [secret, publicText], 'valid'],
  ['no public signature of another body', ed25519Of('{}'), [publicText], 'wrong'],
  ['no public signature without padding', ed25519Of().replaceAll('=', ''), [publicText], 'wrong'],
  ['the second of two public signatures', `${wrong} ${ed25519Of()}`, [publicText], 'valid'],
  ['no more than four', `${wrong} ${wrong} ${wrong} ${wrong} ${ed25519Of()}`, [publicText], 'wrong'],
  ['four of the known scheme', `v1,a v1,a v1,a v1,a ${ed25519Of()}`, [publicText], 'valid'],
  ['a wrong one of a known scheme', 'v1,AAAA v9,b', [secret], 'wrong'],
  ['one of an unknown scheme', 'v9,b', [secret, publicText], 'unchecked'],
  ['a part that is none', 'v1a', [secret], 'wrong'],
  ['a public signature that is too short', 'v1a,AAAA', [publicText], 'wrong'],
  ['none', '', [secret], 'missing'],
])('is decided by %s', (_, signature, keys, outcome) => {
  expect(eventOf(callback(signature), { secrets: keys }).signature.proof).toBe(outcome);
});

test.each<[string, Given, string]>([
  ['without an ID', { id: '' }, 'wrong'],
  ['without a time', { time: '' }, 'wrong'],
  ['of a body that was cut', { truncated: true }, 'wrong'],
  ['with a time of 12 digits', { time: '9'.repeat(12) }, 'valid'],
  ['with a time of 13 digits', { time: '1'.repeat(13) }, 'wrong'],
  ['with a time that is no whole number', { time: '1.5' }, 'wrong'],
])('a right signature %s', (_, changes, outcome) => {
  expect(eventOf(callback(hmacOf(changes), changes), {}).signature.proof).toBe(outcome);
});

test.each([
  ['base64url', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')],
  ['no padding', (text: string) => text.replace(/=+$/, '')],
  ['a space before it', (text: string) => text.replace(',', ', ')],
])('a signature with %s is wrong, as for the libraries of the standard', (_name, change) => {
  // Its signature has both characters that base64url writes otherwise.
  const ids = Array.from({ length: 500 }, (_, index) => `msg_${index}`);
  const id = ids.find((one) => /^(?=.*\+)(?=.*\/)/.test(hmacOf({ id: one }))) ?? '';
  const changed = change(hmacOf({ id }));
  expect(changed).not.toBe(hmacOf({ id }));
  expect(check(callback(changed, { id }))).toMatchObject({ verdict: 'error' });
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
  ['with another time, as a retry has', [earlier({ event: { id: 'msg_1', timestamp: '1' } })], false, false],
  ['from the feed', [earlier({ feed })], false, false],
  ['as a request, of one from the feed', [earlier()], true, false],
  ['from the feed, both', [earlier({ feed })], true, true],
])('one that came before %s', (_, others, isByFeed, isReplay) => {
  const { verdict, message } = check(callback(undefined, { isByFeed }), {}, others);
  expect([verdict, message.includes('callback 3')]).toEqual([isReplay ? 'warning' : 'ok', isReplay]);
});

test.each([
  [-300, false, 'ok', /^The signature is valid\.$/],
  [300, false, 'ok', /^The signature is valid\.$/],
  [-301, false, 'error', /301 s before .* more than 300 s/],
  [301, false, 'error', /301 s after .* more than 300 s/],
  [-301, true, 'error', /301 s before .* unless you set the sandbox’s clock back/],
  [301, true, 'ok', /sandbox.* 301 s after/],
])('a time %i s from the arrival, by a clock that can be moved: %s', (offset, isClockMovable, verdict, message) => {
  const time = String(seconds + offset);
  const checked = check(callback(hmacOf({ time }), { time }), { isClockMovable });
  expect(checked).toMatchObject({ verdict, message: expect.stringMatching(message) });
});

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
])('%s is a key: %s', (text, isKey) => {
  expect(isWebhookKey(text)).toBe(isKey);
});
