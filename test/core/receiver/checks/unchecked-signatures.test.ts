// Signatures of a scheme for which no key is known prove nothing either way.
import { expect, test } from 'vitest';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import { storedCallback } from '#test/core/callbacks/stored-callback.ts';
import { evidenceOf } from '#core/receiver/checks/event-evidence.ts';
import { checkSignature, signatureOutcomeOf } from '#core/receiver/checks/signature-check.ts';

const signing = { secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], isClockMovable: false };
const callback = (signature: string, more: { truncated?: boolean; timestamp?: string } = {}) => {
  const { truncated = false, timestamp = '1780000000' } = more;
  const headers: HeaderList = [
    ['webhook-id', 'evt_1'],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', signature],
  ];
  return storedCallback({ receivedAt: 0, target: '/', monitorId: 'm', headers, body: Buffer.from('{}'), truncated });
};
const facts = { signing, monitors: undefined, ownOrigins: [], log: undefined };
const ed25519 = `v1a,${Buffer.alloc(64).toString('base64')}`;

test('an Ed25519 signature is not checked with a secret', () => {
  expect(signatureOutcomeOf(callback(ed25519), signing.secrets)).toBe('unchecked');
  expect(evidenceOf(callback(ed25519), facts).counts).toBeUndefined();
  expect(checkSignature(callback(ed25519), signing, []).verdict).toBe('unknown');
});

test('five unknown schemes are named, in at most 20 characters each', () => {
  const long = `v2${'x'.repeat(19)}`;
  const schemes = [long, 'v3', 'v4', 'v4', 'v5', 'v6', 'v7'];
  const { verdict, message } = checkSignature(callback(schemes.map((one) => `${one},a`).join(' ')), signing, []);
  expect([verdict, message.split(': ')[1]]).toEqual(['unknown', `${long.slice(0, 20)}, v3, v4, v5, v6.`]);
});

test.each([
  ['a wrong HMAC', callback('v1,AAAA')],
  ['a truncated body', callback(ed25519, { truncated: true })],
  ['a time that is not in seconds', callback(ed25519, { timestamp: '2026-11-21' })],
  ['a time of 13 digits', callback(ed25519, { timestamp: '1780000000000' })],
])('%s is wrong', (_, one) => {
  expect(signatureOutcomeOf(one, signing.secrets)).toBe('wrong');
  expect(evidenceOf(one, facts).counts).toBe(false);
});
