// What the signature doctor gets of a stored callback, and which callbacks it cannot diagnose.
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createSenderFacts } from '#core/callbacks/sender-facts.ts';
import { openCallbackStore, receivedCallback } from './callback-store.ts';
import { storedCallback } from './stored-callback.ts';

const noFacts = { isEvent: () => true, endpoints: () => [], publicBase: () => null };
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"id":"precipitation_1","monitor_type":"precipitation"}';

/** By Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`. */
function signed(id: string, timestamp: string, text: string | Buffer = body): string[] {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(text).digest('base64');
  return ['webhook-id', id, 'webhook-timestamp', timestamp, 'webhook-signature', `v1,${signature}`];
}

async function diagnose(rows: Parameters<typeof openCallbackStore>[0]) {
  const { pages } = openCallbackStore(rows);
  const secrets = { candidates: async () => [{ secret, origin: 'current' as const }] };
  const last = pages.get(rows.length);
  if (!last) throw new Error('no callback');
  return createSenderFacts({ ...noFacts, secrets }).diagnose(last);
}

test('tries the decoded body of a compressed callback', async () => {
  const headers = ['content-encoding', 'gzip', ...signed('evt_1', '1780000000')];
  const compressed = receivedCallback({ body: gzipSync(body), headers });
  expect(await diagnose([compressed])).toMatchObject({ verifies: true });
});

test('decodes up to 1 MB', async () => {
  const diagnoseOf = (bytes: number) => {
    const text = `{"id":"precipitation_1","x":"${'x'.repeat(bytes - 31)}"}`;
    expect(text).toHaveLength(bytes);
    const headers = ['content-encoding', 'gzip', ...signed('evt_1', '1780000000', text)];
    return diagnose([receivedCallback({ body: gzipSync(text), headers })]);
  };
  expect(await diagnoseOf(1024 * 1024)).toMatchObject({ verifies: true });
  expect(await diagnoseOf(1024 * 1024 + 1)).toMatchObject({ verifies: false });
});

test.each([
  ['a refused request', { refusal: { reason: 'timeout' as const, count: 1, lastAt: '' } }, 'refused'],
  ['a truncated body', { truncated: true }, 'body'],
  ['a lost body', { isBodyLost: true }, 'body'],
])('cannot diagnose a callback with %s', async (_, changes, message) => {
  const { diagnose: diagnoseOne } = createSenderFacts({ ...noFacts, secrets: { candidates: async () => [] } });
  const headers: [string, string][] = [['X-Hub-Signature', 'a']];
  await expect(diagnoseOne(storedCallback({ headers, ...changes }))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(message),
  });
  expect(await diagnoseOne(storedCallback({ headers }))).toMatchObject({ verifies: false, outcome: 'missing' });
});
