// What a refresh token gives, and which ones are refused (docs/interface.md §4.2, RFC 9700 §4.14), with a token store of the test's.
import { describe, expect, test } from 'vitest';
import { refreshGrant } from '#service/oauth/token-grants.ts';
import type { RefreshToken, TokenStore } from '#service/oauth/token-store.ts';

const now = Date.parse('2026-11-21T06:00:00Z');

type Situation = {
  isPublic?: boolean;
  found?: Partial<RefreshToken> | null;
  /** Of the replaced token; undefined: another request replaced it first. */
  successor?: string | undefined;
  form?: Record<string, string>;
};

async function refresh({ isPublic = false, found = {}, form = {}, ...rest }: Situation) {
  const successor = 'successor' in rest ? rest.successor : 'new refresh';
  const calls: unknown[] = [];
  const grant = { id: 'grant', application_id: 'app', scope: 'post_metag' };
  const row = { grant, grant_id: 'grant', expires_at: now + 1, replaced_at: null, ...found } as RefreshToken;
  const store: Partial<TokenStore> = {
    lifetimes: { accessTokenSeconds: 3_600, codeSeconds: 60, refreshTokenSeconds: 60 },
    now: () => now,
    findRefreshToken: async (token) => (token === 'old refresh' && found !== null ? row : undefined),
    async replaceRefreshToken() {
      calls.push('replace');
      return successor;
    },
    async issueAccessToken({ id }, scope, family) {
      calls.push(['issue', id, scope, family]);
      return 'new access';
    },
    revoke: async (choice) => void calls.push(['revoke', choice]),
  };
  const answer = await refreshGrant(store as TokenStore)({
    application: { id: 'app', is_public: isPublic ? 1 : 0 } as never,
    form: new Map(Object.entries({ refresh_token: 'old refresh', ...form })),
    address: '192.0.2.1',
  }).catch((error: unknown) => error);
  return { answer, calls };
}

const tokens = (refresh_token: string) => ({
  access_token: 'new access',
  token_type: 'bearer',
  expires_in: 3_600,
  refresh_token,
});

describe('a refresh token', () => {
  test('of a confidential application gives an access token of its grant, and stays', async () => {
    expect(await refresh({ found: { family: 'family' } })).toEqual({
      answer: tokens('old refresh'),
      calls: [['issue', 'grant', ['post_metag'], 'family']],
    });
  });

  test('of a public application is replaced', async () => {
    expect(await refresh({ isPublic: true })).toEqual({
      answer: tokens('new refresh'),
      calls: ['replace', ['issue', 'grant', ['post_metag'], undefined]],
    });
  });

  test('gives the smaller scope that the request asks for', async () => {
    const found = { grant: { id: 'grant', application_id: 'app', scope: '' } as RefreshToken['grant'] };
    const broader = await refresh({ found, form: { scope: 'post_metag' } });
    expect(broader.answer).toMatchObject({ code: 'invalid_scope' });
    expect(broader.calls).toEqual([]);
    const { calls } = await refresh({ form: { scope: ' ' } });
    expect(calls).toEqual([['issue', 'grant', [], undefined]]);
  });

  test.each<[string, Situation, unknown[]]>([
    ['that is unknown', { found: null }, []],
    [
      'of another application',
      { found: { grant: { id: 'grant', application_id: 'other', scope: '' } as RefreshToken['grant'] } },
      [],
    ],
    ['that has expired', { found: { expires_at: now } }, []],
    ['of a public application that has expired', { isPublic: true, found: { expires_at: now } }, []],
    ['that another request replaces first', { isPublic: true, successor: undefined }, ['replace']],
  ])('%s is refused', async (_name, situation, expected) => {
    const { answer, calls } = await refresh(situation);
    expect(answer).toMatchObject({
      code: 'invalid_grant',
      message: expect.stringContaining('refresh token is unknown'),
    });
    expect(calls).toEqual(expected);
  });

  test.each<[string, Situation]>([
    ['while it would last', {}],
    ['after its end', { found: { expires_at: now } }],
    ['with an unknown scope', { form: { scope: 'everything' } }],
    ['of an application that is no longer public', { isPublic: false }],
  ])('that was replaced ends its grant if it is used again %s', async (_name, { found, ...situation }) => {
    const { answer, calls } = await refresh({
      isPublic: true,
      ...situation,
      found: { ...found, replaced_at: now - 1 },
    });
    expect(answer).toMatchObject({ code: 'invalid_grant' });
    expect(calls).toEqual([['revoke', { grantId: 'grant' }]]);
  });
});
