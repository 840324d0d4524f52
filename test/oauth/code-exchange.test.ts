// What an authorization code gives, and which ones are refused (docs/interface.md §4.2, RFC 6749 §4.1.3, RFC 7636 §4.6), with a token
// store of the test's.
import { describe, expect, test } from 'vitest';
import type { Code, TokenStore } from '#service/oauth/token-store.ts';
import { authorizationCodeGrant } from '#service/oauth/user-grants.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const redirectUri = 'https://app.example.org/callback';
// The example of RFC 7636 appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

type Situation = { code?: Partial<Code> | null; form?: Record<string, string>; isConsumed?: boolean };

async function exchange({ code = {}, form = {}, isConsumed = true }: Situation) {
  const calls: unknown[] = [];
  const grant = { id: 'grant', application_id: 'app', scope: 'post_metag' };
  const row = {
    grant,
    grant_id: 'grant',
    redirect_uri: redirectUri,
    code_challenge: null,
    expires_at: now + 1,
    used: 0,
    ...code,
  } as Code;
  const store: Partial<TokenStore> = {
    lifetimes: { accessTokenSeconds: 3_600, codeSeconds: 60, refreshTokenSeconds: 60 },
    now: () => now,
    findCode: async (text) => (text === 'code' && code !== null ? row : undefined),
    atOnce: (work) => work(store as TokenStore, undefined as never),
    consumeCode: async () => isConsumed,
    async issueAccessToken({ id }, scope) {
      calls.push(['access', id, scope]);
      return 'new access';
    },
    async issueRefreshToken({ id }) {
      calls.push(['refresh', id]);
      return 'new refresh';
    },
    revoke: async (choice) => void calls.push(['revoke', choice]),
  };
  const answer = await authorizationCodeGrant(store as TokenStore)({
    application: { id: 'app' } as never,
    form: new Map(Object.entries({ code: 'code', redirect_uri: redirectUri, ...form })),
    address: '192.0.2.1',
  }).catch((error: unknown) => error);
  return { answer, calls };
}

describe('an authorization code', () => {
  test.each<[string, Situation]>([
    ['without PKCE', {}],
    ['with PKCE', { code: { code_challenge: challenge }, form: { code_verifier: verifier } }],
  ])('gives both tokens %s', async (_name, situation) => {
    expect(await exchange(situation)).toEqual({
      answer: { access_token: 'new access', token_type: 'bearer', expires_in: 3_600, refresh_token: 'new refresh' },
      calls: [
        ['access', 'grant', ['post_metag']],
        ['refresh', 'grant'],
      ],
    });
  });

  const unknown =
    'The code is unknown, expired, or used, or belongs to another application; open the sign-in page again.';
  const mismatch = 'The code_verifier does not match the code_challenge.';
  test.each<[string, Situation, string]>([
    ['that is unknown', { code: null }, unknown],
    ['of another application', { code: { grant: { application_id: 'other' } as Code['grant'] } }, unknown],
    ['that has expired', { code: { expires_at: now } }, unknown],
    [
      'with another redirect URI',
      { form: { redirect_uri: `${redirectUri}/` } },
      'The redirect_uri differs from the one in the authorization request.',
    ],
    ['with a challenge but no verifier', { code: { code_challenge: challenge } }, mismatch],
    ['with a verifier but no challenge', { form: { code_verifier: verifier } }, mismatch],
    [
      'with another verifier',
      { code: { code_challenge: challenge }, form: { code_verifier: verifier.replace('d', 'e') } },
      mismatch,
    ],
    // The challenge is that of the verifier.
    [
      'with a verifier that is too short',
      { code: { code_challenge: 'LCa0a2j_xo_5m0U8HTBBNBNCLXBkg7-g-YpeiGJm564' }, form: { code_verifier: 'foo' } },
      mismatch,
    ],
  ])('%s is refused, and its grant stays', async (_name, situation, message) => {
    const { answer, calls } = await exchange(situation);
    expect(answer).toMatchObject({ code: 'invalid_grant', message });
    expect(calls).toEqual([]);
  });

  test.each<[string, Situation]>([
    ['again', { code: { used: 1 } }],
    ['again after its end', { code: { used: 1, expires_at: now } }],
    ['by two requests at once', { isConsumed: false }],
  ])('that is used %s ends its grant', async (_name, situation) => {
    const { answer, calls } = await exchange(situation);
    expect(answer).toMatchObject({ code: 'invalid_grant', message: unknown });
    expect(calls).toEqual([['revoke', { grantId: 'grant' }]]);
  });
});
