// What services say about an error, in the forms of RFC 6749, RFC 9457, and common frameworks.
import { expect, test } from 'vitest';
import { serviceMessage } from '#core/http/service-message.ts';
import { maskerFor } from '#core/traffic/mask.ts';

const bodies: readonly [string, unknown, string | undefined, string][] = [
  ['RFC 6749', { error: 'invalid_grant', error_description: 'Expired.' }, 'invalid_grant', 'Expired'],
  ['a code only', { error: 'invalid_client' }, 'invalid_client', 'invalid_client'],
  ['Django REST framework', { detail: 'Not found.' }, undefined, 'Not found'],
  [
    'FastAPI',
    { detail: [{ loc: ['body', 'username'], msg: 'field required', type: 'value_error.missing' }] },
    undefined,
    'body.username: field required',
  ],
  ['Express', { message: 'No such key' }, undefined, 'No such key'],
  ['Google', { error: { code: 403, status: 'PERMISSION_DENIED', message: 'API off' } }, 'PERMISSION_DENIED', 'API off'],
  ['RFC 9457', { type: 'about:blank', title: 'Forbidden', status: 403 }, undefined, 'Forbidden'],
  ['RFC 9457 with a detail', { title: 'Forbidden', detail: 'Plan too small' }, undefined, 'Plan too small'],
  ['Okta', { errorCode: 'E0000004', errorSummary: 'Authentication failed' }, undefined, 'Authentication failed'],
  [
    'JSON:API',
    { errors: [{ status: '422', title: 'Invalid', detail: 'lat is missing' }] },
    undefined,
    'lat is missing',
  ],
  ['a list of texts', { errors: ['one', 'two'] }, undefined, 'one; two'],
];

test.each(bodies)('reads the reason of %s', (_name, body, error, reason) => {
  const read = serviceMessage({ body: Buffer.from(JSON.stringify(body)), headers: [] });
  expect(read).toEqual({ error, reason });
});

test('reads plain text, and nothing of a page', () => {
  const read = (type: string, text: string) =>
    serviceMessage({ body: Buffer.from(text), headers: [['content-type', type]] }).reason;
  expect(read('text/plain; charset=utf-8', 'Too many\n keys')).toBe('Too many keys');
  expect(read('text/html', '<h1>Oops</h1>')).toBeUndefined();
});

test.each(bodies)('masking a token response keeps the reason of %s', (_name, body, _error, reason) => {
  const masked = maskerFor({ headers: [], kind: 'token' }).tokenBody(JSON.stringify(body));
  expect(serviceMessage({ body: Buffer.from(masked), headers: [] }).reason).toBe(reason);
});

test('masking a token response hides what an error echoes, however short, and other members', () => {
  const request = { headers: [], kind: 'token' as const, body: 'grant_type=password&username=ada&password=longsecret' };
  const body = { detail: [{ msg: 'wrong longsecret', input: 'abc', ctx: { given: 'x' } }], access_token: 'the-token' };
  const masked = maskerFor(request).tokenBody(JSON.stringify(body));
  expect(masked).not.toMatch(/longsecret|abc|"x"|the-token/);
  expect(masked).toContain('wrong ••••••••');
});
