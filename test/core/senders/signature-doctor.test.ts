// The signature doctor names the mistake of a signer, for 200 and more mutated requests, and none for a right or random one.
import { listBodyVariants } from '#core/senders/body-variants.ts';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { HeaderList } from '#contract/app-rpc/base.ts';
import {
  describeCauses,
  type SignatureCauseId,
  signatureCauseIds,
  signatureCauses,
} from '#contract/app-rpc/signature-causes.ts';
import { diagnoseSender, type DoctorRequest, type KnownSecret } from '#core/senders/diagnose-sender.ts';
import { readSenderRequest } from '#core/senders/sender-request.ts';
import { senderRows, standardWebhooks } from '#core/senders/sender-rows.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const previous = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const foreign = 'whsec_9DxtN0bSR6Jt0Y5aIVOyT+rR0hS0VvYk';
const clientSecret = 'k3Jd-92hf_81nLQpWz';
const known: KnownSecret[] = [
  { secret, origin: 'current' },
  { secret: previous, origin: 'previous' },
  { secret: foreign, origin: 'other-connection' },
  { secret: clientSecret, origin: 'client' },
];

// As our service sends it; as Python writes it; with text of other scripts; another kind of JSON; not JSON.
const bodies = [
  '{"id":"precipitation_7","monitor_type":"precipitation","callback_uri":"https://a.example/hooks/torino?x=1","geo":{"type":"Point","coordinates":[7.68,45.07]}}',
  '{"z": 1, "id": "precipitation_8", "note": "a<b>&c", "a": [1, 2, {"y": null, "b": true}]}',
  '{"name":"Zürich 東京 🌧","id":"precipitation_9","path":"/a/b"}',
  '[{"b":1,"a":2},{"b":3}]',
  'id=precipitation_10&text=caf%C3%A9+au+lait&lines=one\r\ntwo',
];

function diagnoseSignature(request: DoctorRequest, secrets: readonly KnownSecret[]) {
  const { fits } = readSenderRequest(request);
  return diagnoseSender(
    standardWebhooks,
    request,
    secrets,
    senderRows.filter(({ match }) => fits(match)),
  );
}

type Part = { key: Buffer | string; id: string; time: string; text: string | Buffer; algorithm?: string };

const id = 'evt_01JDK3';
const seconds = 1_780_000_000;
const rightKey = Buffer.from(secret.slice(6), 'base64');

function digest({ key, text, algorithm = 'sha256' }: Pick<Part, 'key' | 'text' | 'algorithm'>): Buffer {
  return createHmac(algorithm, key).update(text).digest();
}

function request(signature: string, body: string | Buffer, changes: HeaderList = []): DoctorRequest {
  const headers: HeaderList = [
    ['Webhook-Id', id],
    ['Webhook-Timestamp', String(seconds)],
    ['Webhook-Signature', signature],
  ];
  const kept = headers.filter(([name]) => !changes.some(([other]) => other.toLowerCase() === name.toLowerCase()));
  return {
    method: 'POST',
    url: '',
    headers: [...kept, ...changes.filter(([, value]) => value !== '')],
    body: Buffer.from(body),
  };
}

type Mutation = { name: string; cause: SignatureCauseId; make: (body: string) => DoctorRequest | undefined };

const mutation = (name: string, cause: SignatureCauseId, make: Mutation['make']): Mutation => ({ name, cause, make });

const signedText = (body: string | Buffer) => Buffer.concat([Buffer.from(`${id}.${seconds}.`), Buffer.from(body)]);
const v1 = (text: string | Buffer, key: Buffer | string = rightKey, algorithm = 'sha256') =>
  `v1,${digest({ key, text, algorithm }).toString('base64')}`;

/** The body was changed after it was signed: `signed` returns what was signed for what arrived. */
const bodyChange = (
  name: string,
  cause: SignatureCauseId,
  change: (body: string) => string | Buffer | undefined,
): Mutation =>
  mutation(name, cause, (body) => {
    const arrived = change(body);
    return arrived === undefined || Buffer.from(arrived).equals(Buffer.from(body))
      ? undefined
      : request(v1(signedText(body)), arrived);
  });

const parsed = (body: string) => (/^[[{]/.test(body) ? (JSON.parse(body) as unknown) : undefined);
const rewritten = (write: (value: unknown) => string) => (body: string) => {
  const value = parsed(body);
  return value === undefined ? undefined : write(value);
};
const withKey = (name: string, cause: SignatureCauseId, key: Buffer | string, algorithm?: string): Mutation =>
  mutation(name, cause, (body) => request(v1(signedText(body), key, algorithm), body));
const withText = (name: string, cause: SignatureCauseId, text: (body: string) => string): Mutation =>
  mutation(name, cause, (body) => request(v1(text(body)), body));
/** `form`: how the signature is written, in place of its base64 in a list. */
const withForm = (name: string, cause: SignatureCauseId, form: (text: string, hash: Buffer) => string): Mutation =>
  mutation(name, cause, (body) => {
    const hash = digest({ key: rightKey, text: signedText(body) });
    const text = hash.toString('base64');
    return form(text, hash) === `v1,${text}` ? undefined : request(form(text, hash), body);
  });

const mutations: Mutation[] = [
  withKey('previous secret', 'previous-secret', Buffer.from(previous.slice(6), 'base64')),
  withKey('secret of another connection', 'other-connection', Buffer.from(foreign.slice(6), 'base64')),
  withKey('client secret', 'client-secret', clientSecret),
  withKey('secret as text', 'secret-not-decoded', secret),
  withKey('secret as text without its prefix', 'secret-not-decoded', secret.slice(6)),
  withKey('line break after the secret', 'secret-newline', `${secret}\n`),
  withKey('prefix decoded too', 'prefix-not-removed', Buffer.from(secret, 'base64')),
  withKey('SHA-512', 'wrong-algorithm', rightKey, 'sha512'),
  withKey('SHA-1', 'wrong-algorithm', rightKey, 'sha1'),
  withText('body only', 'body-only', (body) => body),
  withText('no ID', 'id-missing', (body) => `${seconds}.${body}`),
  withText('empty ID', 'id-missing', (body) => `.${seconds}.${body}`),
  withText('no timestamp', 'timestamp-missing', (body) => `${id}.${body}`),
  withText('no body', 'body-missing', () => `${id}.${seconds}.`),
  withText('timestamp first', 'wrong-order', (body) => `${seconds}.${id}.${body}`),
  withText('body first', 'wrong-order', (body) => `${body}.${seconds}.${id}`),
  withText('colons', 'wrong-separator', (body) => `${id}:${seconds}:${body}`),
  withText('no separators', 'wrong-separator', (body) => `${id}${seconds}${body}`),
  withText(
    'hash of the body',
    'body-hashed',
    (body) => `${id}.${seconds}.${createHash('sha256').update(body).digest('hex')}`,
  ),
  withText('signed in milliseconds', 'milliseconds', (body) => `${id}.${seconds}000.${body}`),
  mutation('header in milliseconds', 'milliseconds', (body) =>
    request(v1(signedText(body)), body, [['webhook-timestamp', `${seconds}123`]]),
  ),
  mutation('header and signature in milliseconds', 'milliseconds', (body) =>
    request(v1(`${id}.${seconds}123.${body}`), body, [['webhook-timestamp', `${seconds}123`]]),
  ),
  mutation('no ID header', 'id-missing', (body) => request(v1(`.${seconds}.${body}`), body, [['webhook-id', '']])),
  mutation('headers of Svix', 'other-sender', (body) =>
    request('', body, [
      ['webhook-id', ''],
      ['webhook-timestamp', ''],
      ['webhook-signature', ''],
      ['svix-id', id],
      ['svix-timestamp', String(seconds)],
      ['svix-signature', v1(signedText(body))],
    ]),
  ),
  mutation('compressed after signing', 'body-encoding', (body) => ({
    ...request(v1(signedText(body)), gzipSync(body)),
    decodedBody: Buffer.from(body),
  })),
  bodyChange('line break added', 'newline-added', (body) => `${body}\n`),
  bodyChange('CRLF added', 'newline-added', (body) => `${body}\r\n`),
  mutation('line break removed', 'newline-removed', (body) => request(v1(signedText(`${body}\n`)), body)),
  bodyChange('byte order mark added', 'bom-added', (body) => `\ufeff${body}`),
  mutation('byte order mark removed', 'bom-removed', (body) => request(v1(signedText(`\ufeff${body}`)), body)),
  bodyChange('CRLF to LF', 'line-ends', (body) => body.replaceAll('\r\n', '\n')),
  bodyChange('spaces added', 'whitespace-added', (body) => `  ${body} `),
  bodyChange('UTF-8 read as Latin-1', 'charset', (body) =>
    /[\u0080-\uffff]/.test(body) ? Buffer.from(Buffer.from(body).toString('latin1')) : undefined,
  ),
  bodyChange(
    'pretty-printed',
    'json-reserialized',
    rewritten((value) => JSON.stringify(value, null, 2)),
  ),
  bodyChange(
    'pretty-printed with a line break',
    'json-reserialized',
    rewritten((value) => `${JSON.stringify(value, null, 4)}\n`),
  ),
  mutation('slashes unescaped', 'json-escapes', (body) =>
    parsed(body) === undefined || !body.includes('/') || /[^ -~]/.test(body)
      ? undefined
      : request(v1(signedText(JSON.stringify(parsed(body)).replaceAll('/', '\\/'))), body),
  ),
  withForm('hexadecimal digits', 'signature-hex', (_, hash) => `v1,${hash.toString('hex')}`),
  withForm('digits of GitHub', 'signature-hex', (_, hash) => `sha256=${hash.toString('hex')}`),
  withForm('base64url', 'signature-base64url', (text, hash) =>
    /[+/]/.test(text) ? `v1,${hash.toString('base64url')}` : `v1,${text}`,
  ),
  withForm('no padding', 'signature-padding', (text) => `v1,${/[+/]/.test(text) ? text : text.replace('=', '')}`),
  withForm('no version', 'signature-version', (text) => text),
  withForm('version with an equals sign', 'signature-version', (text) => `v1=${text}`),
  withForm('quotes', 'signature-separator', (text) => `"v1,${text}"`),
  withForm('two, with a comma', 'signature-separator', (text) => `v1,${randomBytes(32).toString('base64')},v1,${text}`),
  // Two mistakes at once.
  mutation('secret as text, hexadecimal digits', 'secret-not-decoded', (body) =>
    request(`v1,${digest({ key: secret, text: signedText(body) }).toString('hex')}`, body),
  ),
  mutation('body only, line break added', 'body-only', (body) => request(v1(body), `${body}\n`)),
  mutation('previous secret, pretty-printed', 'previous-secret', (body) => {
    const value = parsed(body);
    const key = Buffer.from(previous.slice(6), 'base64');
    return value === undefined
      ? undefined
      : request(v1(signedText(JSON.stringify(value)), key), JSON.stringify(value, null, 2));
  }),
];

const cases = mutations.flatMap(({ name, cause, make }) =>
  bodies.flatMap((body, index) => {
    const mutated = make(body);
    return mutated ? [{ name: `${name}, body ${index}`, cause, mutated }] : [];
  }),
);

test('names at least 95% of 200 and more mistakes, and none wrongly', () => {
  expect(cases.length).toBeGreaterThanOrEqual(200);
  const results = cases.map(({ name, cause, mutated }) => ({ name, cause, found: diagnoseSignature(mutated, known) }));
  const missed = results.filter(({ found }) => !found.verifies).map(({ name }) => name);
  const wrong = results
    .filter(({ found, cause }) => found.verifies && !found.causes.includes(cause))
    .map(({ name, found, cause }) => `${name}: ${found.causes.join(' + ') || 'valid'} instead of ${cause}`);
  expect(wrong).toEqual([]);
  expect(missed.length <= results.length * 0.05 ? [] : missed).toEqual([]);
  expect(new Set(results.map(({ cause }) => cause)).size).toBeGreaterThanOrEqual(20);
});

test('names no cause for a random signature, another body, or an unknown secret', () => {
  for (const body of bodies) {
    const others = [
      request(`v1,${randomBytes(32).toString('base64')}`, body),
      request(v1(signedText(`${body}{}`)), body),
      request(v1(signedText(body), randomBytes(24)), body),
      request('', body),
      request('v1,', body),
      request('v2,abc', body),
    ];
    for (const one of others) {
      expect(diagnoseSignature(one, known)).toMatchObject({ verifies: false, causes: [], isComplete: true });
    }
  }
});

test('says that a right signature is right', () => {
  expect(diagnoseSignature(request(v1(signedText(bodies[0] ?? '')), bodies[0] ?? ''), known)).toMatchObject({
    verifies: true,
    causes: [],
  });
});

test('tries a bounded number of combinations', () => {
  const worst = request(`v1,${randomBytes(32).toString('base64')}`, bodies[0] ?? '');
  const many: KnownSecret[] = [
    ...known,
    ...Array.from({ length: 10 }, () => ({ secret: newSecret(), origin: 'other-connection' as const })),
  ];
  // Each costs about 5 µs.
  expect(diagnoseSignature(worst, many).tried).toBeLessThan(1000);
});

test('ends early for a large body, and says so', () => {
  const body = `{"text":"${'x'.repeat(3_000_000)}"}`;
  const found = diagnoseSignature(request(`v1,${randomBytes(32).toString('base64')}`, body), known);
  expect(found).toMatchObject({ verifies: false, isComplete: false });
  // The cheap causes still are found.
  const digits = digest({ key: rightKey, text: signedText(body) }).toString('hex');
  expect(diagnoseSignature(request(`v1,${digits}`, body), known)).toMatchObject({ causes: ['signature-hex'] });
});

test('describes each cause in a sentence', () => {
  for (const cause of signatureCauseIds) {
    expect(describeCauses([cause])).toMatch(/^The signature verifies if [a-z].+[^.]\.$/);
    expect(signatureCauses[cause].advice).toMatch(/^[A-Z].+\.$/);
  }
});

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

test('numbers that JavaScript rounds are tried as they were written, too', () => {
  const variants = listBodyVariants(Buffer.from('{"b":822106502566256641,"a":1}'), undefined);
  const texts = variants.map(({ bytes }) => bytes.toString());
  // As Python's json.dumps writes it, as JavaScript writes it, and with sorted keys.
  expect(texts).toContain('{"b": 822106502566256641, "a": 1}');
  expect(texts).toContain('{"b":822106502566256600,"a":1}');
  expect(texts).toContain('{"a":1,"b":822106502566256641}');
});
