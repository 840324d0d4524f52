// Holds one access token of a connection, the application's or the user's: valid for at least 30 s when handed out, renewed
// by one flight however many callers wait, kept as a secret at rest. Expiry counts from before the request (RFC 6749 leaves
// the delay to us), a new refresh token is on disk before its access token is used, and only `invalid_grant` drops one.
import type { Clock } from '@rainbell/shared';
import type { GrantKind } from '@rainbell/contract/service-api';
import type { TokenCard, TokenOwner } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { SecretsPort } from '../ports/host.ts';
import type { HttpResponse } from '../http/http-sender.ts';
import { isFresh, readStoredToken, refreshTimeOf, type StoredToken } from './stored-token.ts';
import type { ReceivedToken } from './token-response.ts';
import { describeCard, signInNeeded } from './token-card.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

export type TokenManagerOptions = {
  endpoint: TokenEndpoint;
  secrets: SecretsPort;
  secretName: string;
  /** An application gets a token automatically; a user has to sign in. */
  owner: TokenOwner;
  /** Names the client and service that tokens belong to: those of another one are never sent (docs/tokens.md T8). */
  binding: string;
  clock: Clock;
  onState: () => void;
};

/** Whether a later try can succeed without the user. */
function isTransient({ code }: AppFailure): boolean {
  return code === 'NETWORK' || code === 'SERVER' || code === 'RATE_LIMITED';
}

export class TokenManager {
  readonly #options: TokenManagerOptions;
  #held: StoredToken | undefined;
  #problem: AppFailure | undefined;
  #flight: Promise<StoredToken> | undefined;
  /** Grows with each sign-in and each deletion; the result of a refresh that started earlier is discarded. */
  #era = 0;
  readonly #restored: Promise<void>;

  constructor(options: TokenManagerOptions) {
    this.#options = options;
    this.#restored = this.#restore();
  }

  /** A token that is valid for some time yet. Throws the AppFailure of the token endpoint; a user's token may need a sign-in. */
  async token(): Promise<string> {
    await this.#restored;
    return (this.#usable() ?? (await this.#refreshOnce())).accessToken;
  }

  /** A token other than `rejected`; late callers with the same rejected token cause no further refresh. */
  async tokenInsteadOf(rejected: string): Promise<string> {
    const usable = this.#usable();
    return usable && usable.accessToken !== rejected ? usable.accessToken : (await this.#refreshOnce()).accessToken;
  }

  #usable(): StoredToken | undefined {
    const isUsable = this.#held && !this.#flight && isFresh(this.#held, this.#options.clock.now());
    return isUsable ? this.#held : undefined;
  }

  /** Requests a new token now; `watch` gets the exchanges. */
  async refresh(watch?: (response: HttpResponse) => void) {
    await this.#restored;
    await this.#refreshOnce(watch);
  }

  /** Stores the result of a sign-in; on disk when it resolves. `obtainedAt`: before the request. `scope`: what was requested. */
  async accept(received: ReceivedToken, grant: GrantKind, obtainedAt: number, scope?: string) {
    this.#era += 1;
    await this.#store(received, grant, obtainedAt, { requestedScope: scope || null });
    this.#problem = undefined;
    this.#options.onState();
  }

  /** Loads what another manager of the same connection has stored in the meantime. */
  async reload() {
    const stored = await this.#readStored();
    if (!stored) return;
    this.#era += 1;
    this.#adopt(stored);
    this.#problem = undefined;
    this.#options.onState();
  }

  /** Deletes it here and on disk; the result of a refresh in progress is discarded. */
  async delete() {
    this.#era += 1;
    this.#held = undefined;
    this.#problem = undefined;
    await this.#options.secrets.write(this.#options.secretName, null);
    this.#options.onState();
  }

  /** The current token, after it was read from disk; for revealing and revoking. */
  async held(): Promise<{ accessToken: string; refreshToken: string | null } | undefined> {
    await this.#restored;
    return this.#held;
  }

  /** The time to refresh it, epoch milliseconds; undefined if a refresh is in progress, impossible, or was rejected. */
  refreshAt(): number | undefined {
    return this.#held && !this.#flight && (!this.#problem || isTransient(this.#problem))
      ? refreshTimeOf(this.#held)
      : undefined;
  }

  card(): TokenCard {
    return describeCard({
      owner: this.#options.owner,
      held: this.#held,
      problem: this.#problem,
      isFetching: this.#flight !== undefined,
      now: this.#options.clock.now(),
    });
  }

  async #restore(): Promise<void> {
    const stored = await this.#readStored();
    if (!stored || this.#era > 0) return;
    this.#adopt(stored);
    this.#options.onState();
  }

  async #readStored(): Promise<StoredToken | undefined> {
    return readStoredToken(
      await this.#options.secrets.read(this.#options.secretName).catch(() => null),
      this.#options.binding,
    );
  }

  #adopt(token: StoredToken): StoredToken {
    this.#held = token;
    return token;
  }

  #refreshOnce(watch?: (response: HttpResponse) => void): Promise<StoredToken> {
    this.#flight ??= this.#obtain(watch)
      .then(
        (token) => {
          this.#problem = undefined;
          return token;
        },
        (error: unknown) => {
          // Not being signed in is not a failure, and does not hide a previous one.
          const isSignedOut = !this.#held && error instanceof AppFailure && error.details.needs === 'sign_in';
          if (!isSignedOut) this.#problem = error instanceof AppFailure ? error : undefined;
          throw error;
        },
      )
      .finally(() => {
        this.#flight = undefined;
        this.#options.onState();
      });
    this.#options.onState();
    return this.#flight;
  }

  async #obtain(watch?: (response: HttpResponse) => void): Promise<StoredToken> {
    const refreshToken = this.#held?.refreshToken;
    if (this.#held && refreshToken) {
      try {
        return await this.#refresh(this.#held, refreshToken, watch);
      } catch (error) {
        if (!(error instanceof AppFailure) || error.code !== 'INVALID_GRANT') throw error;
        const other = await this.#rotatedElsewhere(refreshToken);
        if (other)
          return isFresh(other, this.#options.clock.now())
            ? this.#adopt(other)
            : await this.#refresh(other, other.refreshToken, watch);
        this.#held = undefined;
        await this.#options.secrets.write(this.#options.secretName, null);
        if (this.#options.owner === 'user') throw error;
      }
    }
    if (this.#options.owner === 'user') throw signInNeeded(this.#held, this.#options.clock.now());
    const requestedAt = this.#options.clock.now();
    return this.#store(
      await this.#requestInEra({ grant: 'client_credentials' }, watch),
      'client_credentials',
      requestedAt,
    );
  }

  /** An answer without a refresh token or scope leaves the old ones valid (RFC 6749 §6). */
  async #refresh(
    old: StoredToken,
    refreshToken: string,
    watch?: (response: HttpResponse) => void,
  ): Promise<StoredToken> {
    const requestedAt = this.#options.clock.now();
    const { scope, requestedScope } = old;
    const received = await this.#requestInEra({ grant: 'refresh_token', refreshToken }, watch);
    return this.#store(received, old.grant, requestedAt, { refreshToken, scope, requestedScope });
  }

  async #requestInEra(
    request: Parameters<TokenEndpoint['request']>[0],
    watch?: (response: HttpResponse) => void,
  ): Promise<ReceivedToken> {
    const startedIn = this.#era;
    const received = await this.#options.endpoint.request(request, watch);
    if (this.#era === startedIn) return received;
    throw new AppFailure(
      'ACCESS_REFUSED',
      'The token was deleted or replaced while it was being refreshed. Try again.',
    );
  }

  /** Another process with the same store may have used the refresh token first (docs/tokens.md T14). */
  async #rotatedElsewhere(used: string): Promise<(StoredToken & { refreshToken: string }) | undefined> {
    const stored = await this.#readStored();
    if (!stored || stored.refreshToken === null || stored.refreshToken === used) return undefined;
    return { ...stored, refreshToken: stored.refreshToken };
  }

  /** `old`: what an answer without them leaves valid. */
  async #store(
    received: ReceivedToken,
    grant: GrantKind,
    obtainedAt: number,
    old: Partial<Pick<StoredToken, 'scope' | 'requestedScope' | 'refreshToken'>> = {},
  ): Promise<StoredToken> {
    const { clock, secrets, secretName, binding } = this.#options;
    const { accessToken, expiresInSeconds, deviations } = received;
    // The clock may have been set back during the request.
    const since = Math.min(obtainedAt, clock.now());
    const token: StoredToken = {
      grant,
      binding,
      obtainedAt: since,
      accessToken,
      refreshToken: received.refreshToken ?? old.refreshToken ?? null,
      scope: received.scope ?? old.scope ?? null,
      requestedScope: old.requestedScope ?? null,
      expiresAt: expiresInSeconds === null ? null : since + expiresInSeconds * 1000,
      deviations,
    };
    await secrets.write(secretName, JSON.stringify(token));
    return this.#adopt(token);
  }
}
