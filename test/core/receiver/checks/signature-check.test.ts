// The signatures of callbacks (Standard Webhooks 1.0). signature-details.test.ts has times, replays, and several signatures.
import { createHmac, generateKeyPairSync, sign as signAsymmetrically } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import { storedCallback } from '#test/core/callbacks/stored-callback.ts';
import { eventHeadersOf } from '#core/receiver/checks/earlier-callback.ts';
import { checkSignature, type SigningFacts } from '#core/receiver/checks/signature-check.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const nowSeconds = 1_780_000_000;
const body = '{"test": 2432232314}';

function sign(id: string, seconds: number, text = body, key = secret): HeaderList {
  const digest = createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
    .update(`${id}.${seconds}.${text}`)
    .digest('base64');
  return [
    ['webhook-id', id],
    ['Webhook-Timestamp', String(seconds)],
    ['webhook-signature', `v1,${digest}`],
  ];
}

function check(headers: HeaderList, facts: Partial<SigningFacts> = {}, earlier: HeaderList[] = [], truncated = false) {
  const callback = storedCallback({
    id: 9,
    receivedAt: nowSeconds * 1000,
    target: '/',
    headers,
    body: Buffer.from(body),
    truncated,
  });
  return checkSignature(
    callback,
    { secrets: [secret], isClockMovable: false, ...facts },
    earlier.map((one, index) => ({ id: 8 - index, receivedAt: 0, event: eventHeadersOf(one), counts: true })),
  );
}

const good = sign('msg_1', nowSeconds);

test('the specification’s own example is accepted', () => {
  const headers: HeaderList = [
    ['webhook-id', 'msg_p5jXN8AQM9LWM0D4loKWxJek'],
    ['webhook-timestamp', '1614265330'],
    ['webhook-signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
  ];
  // Its timestamp is of 2021, and the callback arrives later.
  expect(check(headers).message).toMatch(/^The signature is valid, but its timestamp/);
});

test.each([
  ['a valid one', check(good), 'ok', 'valid'],
  ['one of another secret', check(sign('msg_1', nowSeconds, body, 'whsec_AAAA')), 'error', 'wrong'],
  ['one of another body', check(sign('msg_1', nowSeconds, '{}')), 'error', 'wrong'],
  [
    'a valid one beside others',
    check([...good.slice(0, 2), ['webhook-signature', `v1a,xx v1,AAAA ${good[2]?.[1]}`]]),
    'ok',
    'valid',
  ],
  ['one of the secret before', check(good, { secrets: ['whsec_AAAA', secret] }), 'ok', 'valid'],
  ['a retry of one event, signed anew', check(good, {}, [sign('msg_1', nowSeconds - 60)]), 'ok', 'valid'],
  ['one without a known secret', check(good, { secrets: [] }), 'unknown', 'no secret'],
  ['none where a secret is known', check([]), 'warning', 'is not signed'],
  ['none where no secret is known', check([], { secrets: [] }), 'unknown', 'is not signed'],
  [
    'one with a time that is none',
    check([...good.slice(0, 1), ['webhook-timestamp', 'noon'], ...good.slice(2)]),
    'error',
    'not a time',
  ],
  ['one over a body that was cut', check(good, {}, [], true), 'unknown', 'truncated'],
])('%s', (_what, found, verdict, words) => {
  expect(found).toMatchObject({ check: 'signature', verdict, message: expect.stringContaining(words) });
});

test.each([
  ['base64url', (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')],
  ['no padding', (text: string) => text.replace(/=+$/, '')],
  ['a space before it', (text: string) => ` ${text}`],
])('a signature as %s is wrong, as for the libraries of the standard', (_name, change) => {
  // Its signature has both characters that base64url writes otherwise.
  const id = Array.from({ length: 500 }, (_, index) => `msg_${index}`).find((one) =>
    /^(?=.*\+)(?=.*\/)/.test(sign(one, nowSeconds)[2]?.[1] ?? ''),
  );
  const [first, second, third] = sign(id ?? '', nowSeconds);
  const text = third?.[1].slice('v1,'.length) ?? '';
  const changed = change(text);
  expect(changed).not.toBe(text);
  const headers = [first, second, ['webhook-signature', `v1,${changed}`]] as HeaderList;
  expect(check(headers)).toMatchObject({ verdict: 'error' });
});

describe('Ed25519 (v1a)', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const key = `whpk_${raw.toString('base64')}`;
  const signed = (text = body) =>
    `v1a,${signAsymmetrically(null, Buffer.from(`msg_1.${nowSeconds}.${text}`), privateKey).toString('base64')}`;
  const headers = (signature: string): HeaderList => [
    ['webhook-id', 'msg_1'],
    ['webhook-timestamp', String(nowSeconds)],
    ['webhook-signature', signature],
  ];

  test.each([
    ['accepts a valid one', headers(signed()), [key], 'ok', 'valid'],
    ['accepts it beside one of a secret', headers(`v1,AAAA ${signed()}`), [key], 'ok', 'valid'],
    ['accepts the secret beside it', headers(`${good[2]?.[1]} ${signed('{}')}`), [secret, key], 'ok', 'valid'],
    ['refuses one of another body', headers(signed('{}')), [key], 'error', 'wrong'],
    ['refuses one in base64url', headers(signed().replaceAll('=', '')), [key], 'error', 'wrong'],
    ['does not judge it without a public key', headers(signed()), [secret], 'unknown', 'no public key'],
    ['does not judge a secret’s signature by a public key', good, [key], 'unknown', 'only a public key'],
  ] as const)('%s', (_what, list, secrets, verdict, words) => {
    expect(check(list, { secrets })).toMatchObject({ verdict, message: expect.stringContaining(words) });
  });
});
