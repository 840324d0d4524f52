// Answers of token endpoints that are not as they should be (docs/tokens.md T11), and when tokens are renewed, kept and
// dropped (T8, T10, T13 to T16), over real HTTP.
import { describe, expect, test } from 'vitest';
import { readTokenResponse } from '#core/tokens/token-response.ts';
import { responseDouble } from '#test/core/connection-double.ts';
import { createMemoryHost, startCore } from '#test/core/core-harness.ts';
import { issueTokens, startFakeService, type Answer } from '#test/core/fake-service.ts';
import { fieldsFor, startAccess, useOwn } from '#test/core/session/access-harness.ts';

const token = { access_token: 'the-token', token_type: 'bearer', expires_in: 3600 };

const json: [string, string][] = [['content-type', 'application/json']];

/** What is read of a response with this body. */
const read = (value: unknown, headers = json) =>
  readTokenResponse(
    responseDouble({
      body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
      headers,
      json: () => Promise.reject(new Error('It is not read with all its digits.')),
    }),
  );

describe('a token answer', () => {
  test.each<[string, unknown, object, string[]]>([
    ['a lifetime as text', { ...token, expires_in: '120' }, { expiresInSeconds: 120 }, ['string instead of a number']],
    ['a lifetime with a fraction', { ...token, expires_in: 60.9 }, { expiresInSeconds: 60 }, ['whole number']],
    ['no lifetime', { ...token, expires_in: undefined }, { expiresInSeconds: null }, ['missing']],
    ['a lifetime of 0', { ...token, expires_in: 0 }, { expiresInSeconds: null }, ['is 0']],
    ['a negative lifetime', { ...token, expires_in: -5 }, { expiresInSeconds: null }, ['is -5']],
    ['a lifetime in words', { ...token, expires_in: 'an hour' }, { expiresInSeconds: null }, ['not a number']],
    ['“BEARER”', { ...token, token_type: 'BEARER' }, {}, []],
    ['“JWT” as its type', { ...token, token_type: 'JWT' }, {}, ['sent as bearer']],
    ['a list as its scope', { ...token, scope: ['post_metag', 'read'] }, { scope: 'post_metag read' }, ['list']],
    [
      'a number as the token',
      { ...token, access_token: 1234 },
      { accessToken: '1234' },
      ['number instead of a string'],
    ],
    ['no token type', { ...token, token_type: undefined }, {}, ['token_type']],
    ['an empty refresh token', { ...token, refresh_token: '' }, { refreshToken: undefined }, ['refresh_token']],
    [
      'a long number as the token, behind a byte order mark',
      '\uFEFF{"access_token":12345678901234567890,"token_type":"bearer","expires_in":60}',
      { accessToken: '12345678901234567890', expiresInSeconds: 60 },
      ['number instead of a string'],
    ],
  ])('with %s is used, and the deviation is named (docs/tokens.md T11)', (_what, body, members, words) => {
    const { deviations, ...received } = read(body);
    expect(received).toMatchObject({ accessToken: 'the-token', expiresInSeconds: 3600, ...members });
    expect(deviations.map(({ message }) => message)).toEqual(words.map((word) => expect.stringContaining(word)));
    for (const { section } of deviations) expect(section).toMatch(/^RFC 6749 §/);
  });

  test('as a form, with a charset, or without a content type is read (docs/tokens.md T11)', () => {
    const messages = (value: unknown, type?: string) => {
      const { accessToken, deviations } = read(value, type === undefined ? [] : [['content-type', type]]);
      expect(accessToken).toBe('the-token');
      return deviations.map(({ message }) => message);
    };
    const form = 'access_token=the-token&token_type=bearer&expires_in=3600';
    expect(messages(form, 'application/x-www-form-urlencoded')).toHaveLength(2);
    expect(messages(token, 'text/html; charset=utf-8')).toEqual([
      'The response is JSON, but its content type is “text/html; charset=utf-8”.',
    ]);
    expect(messages(token)).toEqual(['The response is JSON, but has no content type.']);
  });

  test.each<[string, unknown]>([
    ['an HTML page', '<html>Sign in</html>'],
    ['without a token', { token_type: 'bearer', expires_in: 1 }],
    ['an id_token alone', { id_token: 'a.b.c', token_type: 'bearer', expires_in: 1 }],
    ['a token type that is not bearer', { ...token, token_type: 'mac' }],
    ['a number with an exponent as the token', '{"access_token":1e400}'],
    ['a fraction as the token', { ...token, access_token: 1.5 }],
    ['a token with a line end in it', { ...token, access_token: 'a\r\nx: y' }],
  ])('that is %s is a breach of the interface (docs/tokens.md T11)', (_what, body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code: 'PROTOCOL' }));
  });

  async function signInAnswered(answer: Answer) {
    const service = await startFakeService({ 'POST /token/': () => answer });
    const { client } = await startAccess({ sandbox: service.introduction });
    const result = await client.session.signIn({ way: 'password', username: 'ann', password: 'secret word' });
    expect(result.message).not.toContain('secret word');
    const [flow] = (await client.session.state()).flows;
    const deviating = flow?.steps.filter(({ deviations }) => deviations.length > 0).map(({ kind }) => kind);
    return { ...result, user: (await client.session.state()).user, deviating };
  }

  test('with status 201 and deviations signs in, and its deviations are shown', async () => {
    const body = { ...token, expires_in: undefined };
    expect(await signInAnswered({ status: 201, body })).toMatchObject({
      outcome: 'approved',
      user: { state: 'valid', expiresAt: null, deviations: [{ section: 'RFC 6749 §5.1' }] },
      deviating: ['answer'],
    });
  });

  test.each<[string, Answer, object]>([
    [
      'a body that is not in the encoding it names',
      { body: token, headers: { 'content-encoding': 'gzip' } },
      { outcome: 'protocol' },
    ],
    ['200 and an error', { body: { error: 'invalid_grant' } }, { outcome: 'refused', error: 'invalid_grant' }],
    [
      '200 and an error object',
      { body: { error: { code: 'KEY_EXPIRED', message: 'The key of this application expired.' } } },
      { outcome: 'refused', error: 'KEY_EXPIRED', message: expect.stringContaining('The key of this application') },
    ],
  ])('that is %s is refused with a message (docs/tokens.md T11)', async (_what, answer, expected) => {
    expect(await signInAnswered(answer)).toMatchObject({ ...expected, user: { state: 'none' } });
  });
});

test('Basic credentials are form-encoded before they are put together (docs/tokens.md T10)', async () => {
  const service = await startFakeService();
  const harness = await startAccess({ sandbox: service.introduction });
  await useOwn(harness, fieldsFor(service.introduction, { clientId: 'my:id+%' }), 'se:cr%t +word');
  await harness.client.session.signIn({ way: 'client_credentials' });
  const basic = service.requestsTo('POST /token/').at(-1)?.headers.authorization?.split(' ')[1] ?? '';
  expect(Buffer.from(basic, 'base64').toString()).toBe('my%3Aid%2B%25:se%3Acr%25t+%2Bword');
});

test('a service that reads neither the content type nor an encoded secret gets what it reads, at once the next time (docs/tokens.md T10)', async () => {
  const service = await startFakeService();
  const issue = issueTokens();
  const isProven = Promise.withResolvers<void>();
  service.routes['POST /token/'] = async (request, count) => {
    if (request.body.includes('grant_type=password')) await isProven.promise;
    const { authorization = '', 'content-type': type } = request.headers;
    if (type !== 'application/x-www-form-urlencoded') return { status: 500 };
    const isRaw = Buffer.from(authorization.slice(6), 'base64').toString().endsWith(':a+b=');
    return isRaw ? issue(request, count) : { status: 401, body: { error: 'invalid_client' } };
  };
  const harness = await startAccess({ sandbox: service.introduction });
  const { session } = harness.client;
  await useOwn(harness, fieldsFor(service.introduction), 'a+b=');
  const deviations = [{ section: 'RFC 6749 §2.3.1' }];
  const approved = { outcome: 'approved', token: { deviations } };
  const signIn = () => session.signIn({ way: 'password', username: 'ann', password: 'b' });
  const beside = signIn();
  await expect
    .poll(async () => (await session.state()).application)
    .toMatchObject({ grant: 'client_credentials', deviations });
  // The sign-in looks for its form while the application's token has found it.
  isProven.resolve();
  expect(await beside).toMatchObject(approved);
  const { length } = service.requestsTo('POST /token/');
  expect(await signIn()).toMatchObject(approved);
  expect(service.requestsTo('POST /token/')).toHaveLength(length + 1);
});

test('a stored token of another client is passed over, whatever the settings file says (docs/tokens.md T8)', async () => {
  const service = await startFakeService();
  const host = createMemoryHost({ receiverPort: 18_765 });
  const first = await startCore({ sandbox: service.introduction, host });
  await first.client.session.signIn({ way: 'password', username: 'a', password: 'b' });
  await first.close();
  const other = { ...service.introduction, clientId: 'another' };
  const second = await startCore({ sandbox: other, host });
  expect((await second.client.session.state()).user.state).toBe('none');
});

test('a failed renewal deletes a user’s token only on invalid_grant (docs/tokens.md T15, T16)', async () => {
  const service = await startFakeService();
  const { client, host } = await startAccess({ sandbox: service.introduction });
  await client.session.signIn({ way: 'password', username: 'a', password: 'b' });
  const kept = () => host.stored.get('token user sandbox') ?? '';
  for (const [answer, code] of [
    [{ status: 503, body: 'down' }, 'SERVER'],
    [{ status: 401, body: { error: 'invalid_client' } }, 'INVALID_CLIENT'],
    [{ hangUp: true }, 'NETWORK'],
  ] as const) {
    service.routes['POST /token/'] = () => answer;
    await expect(client.session.refresh({ owner: 'user' })).rejects.toMatchObject({ code });
    expect(kept()).toContain('refresh-');
  }
  service.routes['POST /token/'] = () => ({ status: 400, body: { error: 'invalid_grant' } });
  await expect(client.session.refresh({ owner: 'user' })).rejects.toMatchObject({ code: 'INVALID_GRANT' });
  expect(kept()).toBe('');
  expect((await client.session.state()).user).toMatchObject({
    state: 'failed',
    lastProblem: { code: 'INVALID_GRANT' },
  });
});
