// Holds one connection's access token: valid for at least 30 s when handed out, renewed by one flight however many
// callers wait, kept as a secret at rest. Expiry counts from before the request (RFC 6749 leaves the delay to us), a new
// refresh token is on disk before its access token is used, and only `invalid_grant` drops a refresh token.
import { z } from 'zod';
import type { Clock } from '#contract/clock.ts';
import type { TokenState } from '#contract/procedures/app.ts';
import { formatInstant } from '#contract/timestamp.ts';
import { AppFailure, toProblem } from '../app-failure.ts';
import type { SecretsPort } from '../host.ts';
import type { ReceivedToken, TokenEndpoint } from './token-endpoint.ts';

export type TokenKeeper = {
  /** A token that is valid for some time yet. Throws the AppFailure of the token endpoint. */
  token: () => Promise<string>;
  /** A token other than `rejected`; late callers with the same rejected token cause no further renewal. */
  tokenInsteadOf: (rejected: string) => Promise<string>;
  /** Asks for a new token now. */
  renew: () => Promise<void>;
  state: () => TokenState;
};

const renewBeforeExpiryMs = 30_000;

const storedTokenSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  obtainedAt: z.number(),
  expiresAt: z.number(),
});
type StoredToken = z.infer<typeof storedTokenSchema>;

type Parts = { endpoint: TokenEndpoint; secrets: SecretsPort; secretName: string; clock: Clock; onState: () => void };

export function createTokenKeeper({ endpoint, secrets, secretName, clock, onState }: Parts): TokenKeeper {
  let held: StoredToken | undefined;
  let problem: AppFailure | undefined;
  let flight: Promise<StoredToken> | undefined;
  const restored = restore();

  async function restore(): Promise<void> {
    const text = await secrets.read(secretName).catch(() => null);
    if (text === null || held) return;
    held = readStoredToken(text);
    onState();
  }

  function renewOnce(): Promise<StoredToken> {
    flight ??= obtain()
      .then(
        (token) => {
          problem = undefined;
          return token;
        },
        (error: unknown) => {
          problem = error instanceof AppFailure ? error : undefined;
          throw error;
        },
      )
      .finally(() => {
        flight = undefined;
        onState();
      });
    onState();
    return flight;
  }

  async function obtain(): Promise<StoredToken> {
    const refreshToken = held?.refreshToken;
    if (refreshToken) {
      try {
        return await requestAndKeep(() => endpoint.request({ grant: 'refresh_token', refreshToken }), refreshToken);
      } catch (error) {
        if (!(error instanceof AppFailure) || error.code !== 'INVALID_GRANT') throw error;
        held = undefined;
        await secrets.write(secretName, null);
      }
    }
    return requestAndKeep(() => endpoint.request({ grant: 'client_credentials' }), null);
  }

  /** An answer without a refresh token leaves the old one valid (RFC 6749 §6). */
  async function requestAndKeep(
    request: () => Promise<ReceivedToken>,
    oldRefreshToken: string | null,
  ): Promise<StoredToken> {
    const obtainedAt = clock.now();
    const received = await request();
    const token: StoredToken = {
      accessToken: received.accessToken,
      refreshToken: received.refreshToken ?? oldRefreshToken,
      obtainedAt,
      expiresAt: obtainedAt + received.expiresInSeconds * 1000,
    };
    await secrets.write(secretName, JSON.stringify(token));
    held = token;
    return token;
  }

  function isFresh(token: StoredToken): boolean {
    // A token that lives for less than a minute would otherwise be renewed at every call.
    const margin = Math.min(renewBeforeExpiryMs, (token.expiresAt - token.obtainedAt) / 2);
    const now = clock.now();
    return now < token.expiresAt - margin && now >= token.obtainedAt - renewBeforeExpiryMs;
  }

  return {
    async token() {
      await restored;
      if (held && !flight && isFresh(held)) return held.accessToken;
      return (await renewOnce()).accessToken;
    },
    async tokenInsteadOf(rejected) {
      if (held && !flight && held.accessToken !== rejected && isFresh(held)) return held.accessToken;
      return (await renewOnce()).accessToken;
    },
    async renew() {
      await restored;
      await renewOnce();
    },
    state: () => describe(held, problem, flight !== undefined),
  };
}

function describe(held: StoredToken | undefined, problem: AppFailure | undefined, isFetching: boolean): TokenState {
  if (isFetching) return { state: 'fetching' };
  if (problem) return { state: 'failed', problem: toProblem(problem) };
  if (!held) return { state: 'none' };
  return {
    state: 'valid',
    grant: 'client_credentials',
    obtainedAt: formatInstant(held.obtainedAt),
    expiresAt: formatInstant(held.expiresAt),
  };
}

function readStoredToken(text: string): StoredToken | undefined {
  try {
    return storedTokenSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
