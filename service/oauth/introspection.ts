// Describes a token as in RFC 7662 §2.2: for the operator's command line and for applications about their own tokens. An invalid
// token is only `{"active": false}`.
import type { TokenStore } from './token-store.ts';

export type Introspection =
  | { active: false }
  | {
      active: true;
      token_type: string;
      scope?: string;
      client_id: string;
      username?: string;
      exp: number;
      grant: string;
    };

/** `applicationId`: only that application's tokens count as active. */
export async function introspect(tokens: TokenStore, token: string, applicationId?: string): Promise<Introspection> {
  const found = await tokens.describe(token);
  const isOthers = applicationId !== undefined && found?.applicationId !== applicationId;
  if (!found || isOthers || found.expiresAt <= tokens.now()) return { active: false };
  return {
    active: true,
    token_type: found.type === 'access_token' ? 'bearer' : 'refresh_token',
    ...(found.scope === '' ? {} : { scope: found.scope }),
    client_id: found.clientId,
    ...(found.username === null ? {} : { username: found.username }),
    exp: Math.floor(found.expiresAt / 1000),
    grant: found.kind,
  };
}
