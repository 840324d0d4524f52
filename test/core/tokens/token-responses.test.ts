// Answers of token endpoints that are not as they should be (docs/tokens.md T11), and when tokens are renewed, kept and
// dropped (T8, T10, T13 to T16), over real HTTP.
import { describe, expect, test } from 'vitest';
import { readTokenResponse } from '#core/tokens/token-response.ts';
import { createMemoryHost, startCore } from '#test/core/core-harness.ts';
import { issueTokens, startFakeService, type Answer } from '#test/core/fake-service.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { fieldsFor, startAccess, startRealService, useOwn } from '#test/core/session/access-harness.ts';

const torino = { lat: 45.0703, lng: 7.6869 };
const token = { access_token: 'the-token', token_type: 'bearer', expires_in: 3600 };

async function signInAnswered(answer: Answer) {
  const clock = createManualClock();
  const service = await startFakeService({ 'POST /token/': () => answer });
  const harness = await startAccess({ sandbox: service.introduction, clock });
  const result = await harness.client.session.signIn({ way: 'password', username: 'ann', password: 'secret word' });
  return { ...harness, result, service, clock };
}

describe('a token answer', () => {
  test.each([
    ['a lifetime as text', { ...token, expires_in: '120' }, 120_000, ['string instead of a number']],
    ['a lifetime with a fraction', { ...token, expires_in: 60.9 }, 60_000, ['whole number']],
    ['no lifetime', { ...token, expires_in: undefined }, null, ['missing']],
    ['a lifetime of 0', { ...token, expires_in: 0 }, null, ['is 0']],
    ['a negative lifetime', { ...token, expires_in: -5 }, null, ['is -5']],
    ['a lifetime in words', { ...token, expires_in: 'an hour' }, null, ['not a number']],
    ['“BEARER”', { ...token, token_type: 'BEARER' }, 3_600_000, []],
    ['“JWT” as its type', { ...token, token_type: 'JWT' }, 3_600_000, ['sent as bearer']],
    ['a list as its scope', { ...token, scope: ['post_metag', 'read'] }, 3_600_000, ['list']],
    ['a number as the token', { ...token, access_token: 12_345_678 }, 3_600_000, ['number instead of a string']],
    ['no token type', { ...token, token_type: undefined }, 3_600_000, ['token_type']],
    ['an empty refresh token', { ...token, refresh_token: '' }, 3_600_000, ['refresh_token']],
  ])('with %s is used, and the deviation is named (docs/tokens.md T11)', async (_what, body, lifetimeMs, words) => {
    const { result, client, clock } = await signInAnswered({ body });
    expect(result).toMatchObject({ outcome: 'approved' });
    const { user } = await client.session.state();
    const expiresAt = lifetimeMs === null ? null : new Date(clock.now() + lifetimeMs).toISOString();
    expect(user).toMatchObject({ state: 'valid', expiresAt });
    expect(user.deviations).toHaveLength(words.length);
    for (const [index, word] of words.entries()) expect(user.deviations[index]?.message).toContain(word);
    for (const { section } of user.deviations) expect(section).toMatch(/^RFC 6749 §/);
  });

  test('with status 201 and a list as its scope is used, and the scope is shown', async () => {
    const { result } = await signInAnswered({ status: 201, body: { ...token, scope: ['post_metag', 'read'] } });
    expect(result).toMatchObject({ outcome: 'approved', token: { scope: 'post_metag read' } });
  });

  test('that is 200 and an error object is named as that error', async () => {
    const body = { error: { code: 'KEY_EXPIRED', message: 'The key of this application expired.' } };
    const { result } = await signInAnswered({ body });
    expect(result).toMatchObject({ outcome: 'refused', error: 'KEY_EXPIRED' });
    expect(result.message).toContain('The key of this application expired');
  });

  test('as a form, or with a charset, is read (docs/tokens.md T11)', async () => {
    const form = 'access_token=the-token&token_type=bearer&expires_in=3600';
    const asForm = await signInAnswered({
      body: form,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(asForm.result).toMatchObject({ outcome: 'approved', token: { deviations: [{}, {}] } });
    const labelled = await signInAnswered({
      body: JSON.stringify(token),
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
    expect(labelled.result).toMatchObject({
      outcome: 'approved',
      token: {
        deviations: [
          {
            section: 'RFC 6749 §5.1',
            message: 'The response is JSON, but its content type is “text/html; charset=utf-8”.',
          },
        ],
      },
    });
  });

  test('without a content type is read (docs/tokens.md T11)', async () => {
    const { result } = await signInAnswered({ body: JSON.stringify(token) });
    expect(result).toMatchObject({
      outcome: 'approved',
      token: {
        deviations: [{ section: 'RFC 6749 §5.1', message: 'The response is JSON, but has no content type.' }],
      },
    });
  });

  test('with a long number as the token behind a byte order mark is read to the last digit', () => {
    const body = Buffer.from('\uFEFF{"access_token":12345678901234567890,"token_type":"bearer","expires_in":60}');
    const request = { method: 'POST' as const, url: 'https://a.example/', headers: [] };
    const response = {
      request,
      status: 200,
      headers: [],
      body,
      firstByteMs: 1,
      tookMs: 2,
      json: () => Promise.reject(new Error()),
    };
    expect(readTokenResponse(response)).toMatchObject({ accessToken: '12345678901234567890', expiresInSeconds: 60 });
  });

  test.each<[string, Answer, string]>([
    ['an HTML page', { body: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } }, 'protocol'],
    ['200 and an error', { body: { error: 'invalid_grant' } }, 'refused'],
    [
      'a body that is not in the encoding it names',
      { body: token, headers: { 'content-encoding': 'gzip' } },
      'protocol',
    ],
    ['a token type that is not bearer', { body: { ...token, token_type: 'mac' } }, 'protocol'],
    ['a number with an exponent as the token', { body: '{"access_token":1e400}' }, 'protocol'],
    ['a fraction as the token', { body: { ...token, access_token: 1.5 } }, 'protocol'],
    ['a token with a line end in it', { body: { ...token, access_token: 'a\r\nx: y' } }, 'protocol'],
    ['17 MB', { body: 'x'.repeat(17 * 1024 * 1024) }, 'protocol'],
  ])('that is %s is refused with a message (docs/tokens.md T11)', async (_what, answer, outcome) => {
    const { result, client } = await signInAnswered(answer);
    expect(result).toMatchObject({ outcome });
    expect(result.message).not.toContain('secret word');
    expect((await client.session.state()).user.state).toBe('none');
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

test('a token of the client before is never sent (docs/tokens.md T8)', async () => {
  const service = await startFakeService({
    'GET /v2/weather/': () => ({ body: { objects: [], meta: {} } }),
  });
  const harness = await startAccess({ sandbox: service.introduction });
  const { client, host } = harness;
  const id = await useOwn(harness, fieldsFor(service.introduction, { clientId: 'first' }), 'first secret');
  await client.forecast.get(torino);
  const [before] = service.requestsTo('GET /v2/weather/').slice(-1);
  await client.session.signIn({ way: 'password', username: 'a', password: 'b' });
  expect(host.stored.has(`token user ${id}`)).toBe(true);
  await client.connections.update({ id, changes: {}, clientSecret: 'second secret' });
  expect(host.stored.has(`token user ${id}`)).toBe(false);
  expect((await client.session.state()).user.state).toBe('none');
  await client.forecast.get(torino);
  const [after] = service.requestsTo('GET /v2/weather/').slice(-1);
  expect(after?.headers.authorization).not.toBe(before?.headers.authorization);
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

describe('renewal', () => {
  test('of the user’s token happens once for fifty calls, 30 s early, with one retry after a 401 (docs/tokens.md T13, T14)', async () => {
    const clock = createManualClock();
    const service = await startFakeService({
      'GET /v2/weather/': () => ({ body: { objects: [], meta: {} } }),
    });
    const harness = await startAccess({ sandbox: service.introduction, clock });
    const { client } = harness;
    await useOwn(harness, fieldsFor(service.introduction, { isPublic: true, clientId: 'public1' }), null);
    await client.session.signIn({ way: 'password', username: 'a', password: 'b' });
    const asked = () => service.requestsTo('POST /token/').filter(({ body }) => body.includes('public1')).length;
    expect(asked()).toBe(1);
    clock.advance(3_600_000 - 29_000);
    await Promise.all(Array.from({ length: 50 }, () => client.forecast.get(torino)));
    expect(asked()).toBe(2);
    service.routes['GET /v2/weather/'] = () => ({ status: 401, body: { error: 'invalid_token' } });
    const weatherBefore = service.requestsTo('GET /v2/weather/').length;
    await expect(client.forecast.get(torino)).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
    expect(service.requestsTo('GET /v2/weather/').length - weatherBefore).toBe(2);
    expect(asked()).toBe(3);
  });

  test('deletes a user’s token only on invalid_grant (docs/tokens.md T15, T16)', async () => {
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
    service.routes['POST /token/'] = issueTokens({ refresh_token: undefined });
    const before = (JSON.parse(kept()) as { refreshToken: string }).refreshToken;
    await client.session.refresh({ owner: 'user' });
    expect(JSON.parse(kept())).toMatchObject({ refreshToken: before });
    service.routes['POST /token/'] = () => ({ status: 400, body: { error: 'invalid_grant' } });
    await expect(client.session.refresh({ owner: 'user' })).rejects.toMatchObject({ code: 'INVALID_GRANT' });
    expect(kept()).toBe('');
    expect((await client.session.state()).user).toMatchObject({
      state: 'failed',
      lastProblem: { code: 'INVALID_GRANT' },
    });
  });

  test('has stored the new refresh token when the service gets the new access token (docs/tokens.md T15)', async () => {
    let storedAtUse = '';
    const service = await startFakeService();
    const harness = await startAccess({ sandbox: service.introduction });
    service.routes['GET /v2/weather/'] = () => {
      storedAtUse = [...harness.host.stored.values()].join();
      return { body: { objects: [], meta: {} } };
    };
    await harness.client.session.refresh({ owner: 'application' });
    await harness.client.forecast.get(torino);
    const count = service.requestsTo('POST /token/').length;
    expect(storedAtUse).toContain(`refresh-${count}`);
  });

  test('with our own service keeps the user signed in, and the grant type', async () => {
    const service = await startRealService();
    const { client, host } = await startAccess({ sandbox: service });
    await client.session.signIn({ way: 'password', username: service.username, password: service.password });
    await client.session.refresh({ owner: 'user' });
    expect((await client.session.state()).user).toMatchObject({ state: 'valid', grant: 'password', refreshable: true });
    expect(host.stored.has('token user sandbox')).toBe(true);
  });
});
