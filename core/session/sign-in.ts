// The four ways of docs/interface.md §5.4 to get a token. Each ends in exactly one result; a password goes into one
// request body and nowhere else; a token is on disk before the result says "approved".
import { createHash, randomBytes } from 'node:crypto';
import type { AppErrorCode, SignInInput, SignInResult } from '@rainbell/contract/app-rpc';
import type { Clock } from '@rainbell/shared';
import type { GrantKind } from '@rainbell/contract/service-api';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import type { Connection, ConnectionProfile } from '../connection/connection.ts';
import { readTokenMembers, type ReceivedToken } from '../tokens/token-response.ts';
import type { TokenRequest } from '../tokens/token-endpoint.ts';
import type { TokenManager } from '../tokens/token-manager.ts';
import type { DialogOutcome, DialogRequest, Host } from '../ports/host.ts';
import { findExpectedIssuer } from './expected-issuer.ts';
import type { FlowRecorder } from './flow-log.ts';
import type { PageResult } from './loopback-pages.ts';
import { openInBrowser } from './loopback-redirect.ts';
import { readRedirect, type AuthorizationResponse } from './authorization-response.ts';

export type SignInDependencies = {
  connection: Connection;
  host: Pick<Host, 'openDialog' | 'openExternal'>;
  clock: Clock;
  flow: FlowRecorder;
  /** Closes the dialog. */
  signal: AbortSignal;
  onAddress: (address: string) => void;
  /** Whether the connection's sign-in window remembers the user. */
  isBrowserSessionSaved: boolean;
};

/** Distributes, which `Omit` alone does not. */
type Without<Union, Key extends string> = Union extends unknown ? Omit<Union, Key> : never;
type Ending = Without<SignInResult, 'flowId'>;

const dialogLimitMs = 5 * 60_000;

/** Throws only for internal errors, and INVALID_INPUT for invalid input. */
export async function signIn(input: SignInInput, dependencies: SignInDependencies): Promise<SignInResult> {
  const { flow } = dependencies;
  let ending: Ending;
  try {
    ending = await take(input, dependencies);
  } catch (error) {
    const ended = endingOf(error);
    flow.end(ended?.outcome ?? 'failed', ended?.message ?? toProblem(error).message);
    if (!ended) throw error;
    return { ...ended, flowId: flow.id };
  }
  flow.end(ending.outcome, ending.message);
  return { ...ending, flowId: flow.id };
}

function take(input: SignInInput, dependencies: SignInDependencies): Promise<Ending> {
  const { tokens, profile } = dependencies.connection;
  switch (input.way) {
    case 'client_credentials':
      if (!tokens.application) throw publicClient(profile.name);
      return requestToken({ grant: 'client_credentials' }, { manager: tokens.application, scope: '' }, dependencies);
    case 'password': {
      const { username, password, scope = profile.scope } = input;
      return requestToken(
        { grant: 'password', username, password, scope },
        { manager: tokens.user, scope },
        dependencies,
      );
    }
    case 'authorization_code':
    case 'implicit':
      return byDialog(input, dependencies);
  }
}

function publicClient(name: string): AppFailure {
  return new AppFailure(
    'INVALID_INPUT',
    `${name} is a public client without a secret, so it cannot use client credentials. Add the secret to the connection.`,
    { field: 'way' },
  );
}

async function requestToken(
  request: Extract<TokenRequest, { grant: GrantKind }>,
  { manager, scope }: { manager: TokenManager; scope: string },
  { connection, clock, flow }: SignInDependencies,
): Promise<Ending> {
  const requestedAt = clock.now();
  const received = await connection.endpoint.request(request, flow.recordResponse);
  return approve(received, { grant: request.grant, manager, requestedAt, scope }, flow);
}

type Approval = { grant: GrantKind; manager: TokenManager; requestedAt: number; scope: string };

async function approve(received: ReceivedToken, approval: Approval, flow: FlowRecorder): Promise<Ending> {
  const { grant, manager, requestedAt, scope } = approval;
  flow.deviations(received.deviations);
  await manager.accept(received, grant, requestedAt, scope);
  const whose = grant === 'client_credentials' ? 'The application now has a token.' : 'You are signed in.';
  return { outcome: 'approved', message: whose, token: manager.card() };
}

type DialogInput = Extract<SignInInput, { way: 'authorization_code' | 'implicit' }>;

async function byDialog(input: DialogInput, dependencies: SignInDependencies): Promise<Ending> {
  const { connection, flow } = dependencies;
  const { profile } = connection;
  const responseType = input.way === 'implicit' ? 'token' : 'code';
  const expected = { state: randomText(), responseType } as const;
  const codeVerifier = input.way === 'authorization_code' && input.pkce !== false ? randomText() : undefined;
  const scope = input.scope ?? profile.scope;
  let usedRedirectUri = profile.redirectUri;
  const request: DialogRequest = {
    redirectUri: profile.redirectUri,
    title: profile.name,
    limitMs: dialogLimitMs,
    signal: dependencies.signal,
    transport: { caPem: profile.caPem, proxyUrl: profile.proxyUrl },
    browserSession: {
      connectionId: profile.id,
      isSaved: dependencies.isBrowserSessionSaved,
      isFresh: input.fresh ?? false,
    },
    authorizationUrl(redirectUri) {
      usedRedirectUri = redirectUri;
      const address = authorizationAddress(profile, { ...expected, redirectUri, scope, codeVerifier });
      flow.address('dialog', 'Opened the sign-in page', address);
      return address;
    },
  };
  // Fetched while the user signs in.
  const expectedIssuer = findExpectedIssuer(connection, dependencies.clock);
  const read = async (url: string) => readRedirect(url, { ...expected, issuer: await expectedIssuer });
  const outcome = await openDialog(request, input, dependencies, async (url) => pageResultOf(await read(url)));
  if (outcome.kind !== 'redirected') {
    return endingOfDialog(outcome, dependencies.host.openDialog !== undefined && input.window !== 'browser');
  }
  const response = await read(outcome.url);
  const deviations = 'deviations' in response ? response.deviations : [];
  flow.address('redirect', 'The sign-in page redirected to the application', outcome.url, deviations);
  if (response.kind === 'code') {
    const code = {
      grant: 'authorization_code',
      code: response.code,
      redirectUri: usedRedirectUri,
      codeVerifier,
    } as const;
    return requestToken(code, { manager: connection.tokens.user, scope }, dependencies);
  }
  if (response.kind === 'token') return acceptImplicit(response.members, scope, dependencies);
  return endingOfResponse(response);
}

async function openDialog(
  request: DialogRequest,
  { window }: DialogInput,
  { host, clock, onAddress }: SignInDependencies,
  validate: (url: string) => Promise<PageResult>,
): Promise<DialogOutcome> {
  if (request.redirectUri === '') {
    const message = 'The connection has no redirect URL. Add the one that is registered with the service.';
    throw new AppFailure('INVALID_INPUT', message, { field: 'redirectUri' });
  }
  if (host.openDialog && window !== 'browser') return host.openDialog(request);
  if (window === 'app')
    return {
      kind: 'failed',
      message: 'Rainbell is running without its own window. Sign in with your browser instead.',
    };
  return openInBrowser(request, { clock, openExternal: host.openExternal, onAddress, validate });
}

async function acceptImplicit(
  members: Record<string, string>,
  scope: string,
  { connection, clock, flow }: SignInDependencies,
): Promise<Ending> {
  const { expires_in: lifetime, ...others } = members;
  const seconds = Number(lifetime);
  // In a fragment every value is text, so that is not a deviation.
  const given = lifetime === undefined || Number.isNaN(seconds) ? members : { ...others, expires_in: seconds };
  const received = readTokenMembers(
    given,
    [],
    (reason) => new AppFailure('PROTOCOL', `The sign-in page’s response is not usable: ${reason}.`),
  );
  // No refresh token comes this way (docs/interface.md §3.1); one that did would have been in the browser's history.
  const { user: manager } = connection.tokens;
  const token = { ...received, refreshToken: undefined };
  return approve(token, { grant: 'implicit', manager, requestedAt: clock.now(), scope }, flow);
}

function pageResultOf(response: AuthorizationResponse): PageResult {
  if (response.kind === 'code' || response.kind === 'token') return { isGood: true, message: '' };
  return { isGood: false, message: endingOfResponse(response).message };
}

function endingOfDialog(outcome: Exclude<DialogOutcome, { kind: 'redirected' }>, isOfAppWindow = false): Ending {
  const hint = isOfAppWindow
    ? ' If the page refuses app windows, as Google’s does, choose “Sign in with my browser”.'
    : '';
  switch (outcome.kind) {
    case 'closed':
      return { outcome: 'closed', message: `The sign-in page was closed before you decided. Nothing changed.${hint}` };
    case 'timed-out':
      return { outcome: 'timed_out', message: `Sign-in timed out after 5 minutes. Start it again.${hint}` };
    case 'failed':
      return { outcome: 'no_dialog', message: outcome.message };
  }
}

function endingOfResponse(response: Exclude<AuthorizationResponse, { kind: 'code' | 'token' }>): Ending {
  switch (response.kind) {
    case 'wrong-state':
      return { outcome: 'wrong_state', message: response.message };
    case 'unusable':
      return {
        outcome: 'protocol',
        message: response.message,
        problem: { code: 'PROTOCOL', message: response.message, details: {} },
      };
    case 'error': {
      const { error, description } = response;
      if (error === 'access_denied') {
        return { outcome: 'denied', message: 'Access was denied on the sign-in page. Nothing changed.' };
      }
      const message =
        description === null
          ? `The service ended the sign-in with ${error}.`
          : `The service ended the sign-in with ${error}: “${description.replace(/\.$/, '')}”.`;
      return { outcome: 'refused', message, error, description, problem: null };
    }
  }
}

const refusals: ReadonlySet<AppErrorCode> = new Set([
  'INVALID_CLIENT',
  'INVALID_GRANT',
  'UNAUTHORIZED_CLIENT',
  'INVALID_SCOPE',
  'ACCESS_REFUSED',
  'NOT_FOUND',
  'REFUSED',
]);

/** Undefined if the error does not end a sign-in. */
function endingOf(error: unknown): Ending | undefined {
  if (!(error instanceof AppFailure)) return undefined;
  const problem = toProblem(error);
  const { code, message, details } = problem;
  if (code === 'NETWORK') return { outcome: 'network', message, problem };
  if (code === 'SERVER' || code === 'RATE_LIMITED') return { outcome: 'server', message, problem };
  if (code === 'PROTOCOL') return { outcome: 'protocol', message, problem };
  if (!refusals.has(code)) return undefined;
  return { outcome: 'refused', message, error: details.error ?? null, description: null, problem };
}

type AuthorizationQuestion = {
  responseType: 'code' | 'token';
  redirectUri: string;
  scope: string;
  state: string;
  codeVerifier: string | undefined;
};

/** Builds the URL of the authorization page (docs/interface.md §4.1), with PKCE (RFC 7636) if there is a verifier. */
function authorizationAddress(
  { authUrl, clientId }: Pick<ConnectionProfile, 'authUrl' | 'clientId'>,
  { responseType, redirectUri, scope, state, codeVerifier }: AuthorizationQuestion,
): string {
  const parameters = new URLSearchParams({
    client_id: clientId,
    response_type: responseType,
    redirect_uri: redirectUri,
    scope,
    state,
    ...(codeVerifier === undefined ? {} : { code_challenge: challengeOf(codeVerifier), code_challenge_method: 'S256' }),
  });
  // Not every service reads a plus as a space.
  return `${authUrl}/oauth/authorize/?${parameters.toString().replaceAll('+', '%20')}`;
}

/** 256 bits (RFC 7636 §7.1). */
function randomText(): string {
  return randomBytes(32).toString('base64url');
}

function challengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}
