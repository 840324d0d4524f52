// Which of a connection's two tokens a request carries. Any valid token reads the weather (docs/interface.md §5.1), so the
// user's is used if the service does not give the application one, or rejects it. Monitors require the application's
// (docs/interface.md §5.7).
import type { AppErrorCode } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { HttpResponse } from '../http/http-sender.ts';
import type { TokenManager } from '../tokens/token-manager.ts';

/** `application` is undefined for a public client, which cannot use client credentials. */
export type ConnectionTokens = { application: TokenManager | undefined; user: TokenManager };

export type TokenChoice = ReturnType<typeof createTokenChoice>;

export function createTokenChoice({ application, user }: ConnectionTokens, name: string) {
  /** The service rejected the application token where it accepted the user token. */
  let prefersUser = false;

  const isSignedIn = async () => (await user.held()) !== undefined;

  async function firstByApplication(
    manager: TokenManager,
    send: (manager: TokenManager) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const response = await send(manager);
    const isRejected = response.status === 401 || response.status === 403;
    if (!isRejected || !(await isSignedIn())) return response;
    const byUser = await send(user);
    if (byUser.status === 401 || byUser.status === 403) return response;
    prefersUser = true;
    return byUser;
  }

  return {
    /** Sends a request that any valid token opens; `send` gets the manager of the token to use. */
    async withAnyToken(send: (manager: TokenManager) => Promise<HttpResponse>): Promise<HttpResponse> {
      if (!application || (prefersUser && (await isSignedIn()))) return send(user);
      if (!isGrantRefused(application) || !(await isSignedIn())) {
        try {
          return await firstByApplication(application, send);
        } catch (error) {
          if (!(error instanceof AppFailure) || !refusals.has(error.code)) throw error;
          if (!(await isSignedIn())) throw signInInstead(error);
        }
      }
      return send(user);
    },
    /** Throws AppFailure ACCESS_REFUSED for a public client. */
    application(): TokenManager {
      if (application) return application;
      throw new AppFailure(
        'ACCESS_REFUSED',
        `Monitors require a token from client credentials, but ${name} is a public client, so it has no secret to get one with. Choose a connection with a client secret, or add the secret to this one.`,
        { needs: 'client_credentials' },
      );
    },
    /** The manager of the token that reads the weather. */
    inUse(): TokenManager {
      if (!application) return user;
      const isUserReady = user.card().state !== 'none';
      return isUserReady && (prefersUser || isGrantRefused(application)) ? user : application;
    },
  };
}

/** Refusals of the token endpoint for which repeating the request does not help. */
const refusals: ReadonlySet<AppErrorCode> = new Set([
  'UNAUTHORIZED_CLIENT',
  'REFUSED',
  'ACCESS_REFUSED',
  'INVALID_CLIENT',
  'INVALID_GRANT',
  'INVALID_SCOPE',
]);

function isGrantRefused(application: TokenManager): boolean {
  const { state, lastProblem } = application.card();
  return state === 'failed' && lastProblem !== null && refusals.has(lastProblem.code);
}

/** Wrong credentials have to be corrected first: users can't sign in with them either. */
function signInInstead(failure: AppFailure): AppFailure {
  const { code, message, details } = failure;
  if (code !== 'UNAUTHORIZED_CLIENT' && code !== 'REFUSED') return failure;
  return new AppFailure(code, `${message} Sign in to get weather data with a user token.`, {
    ...details,
    needs: 'sign_in',
  });
}

export function monitorsNeedApplication({ message, details }: AppFailure): AppFailure {
  return new AppFailure(
    'UNAUTHORIZED_CLIENT',
    `${message} Monitors require client credentials. Register an application that can use them, and connect with it.`,
    { ...details, needs: 'client_credentials' },
  );
}
