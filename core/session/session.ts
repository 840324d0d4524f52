// Sign-in and tokens of the connection in use, for the Access screen: the two token cards, one dialog at a time per
// connection, refresh, forget, revoke, reveal, and the timeline of what was done.
import { standardFormType } from '@rainbell/contract/service-api';
import { type Clock, isJsonObject } from '@rainbell/shared';
import {
  type SessionState,
  type SignInInput,
  type SignInMethod,
  signInMethods,
  type SignInResult,
  type TokenOwner,
} from '@rainbell/contract/app-rpc';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import type { Connection } from '../connection/connection.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import { fetchMetadata } from '../connection/server-metadata.ts';
import { statusFailure } from '../http/status-failure.ts';
import { sendForm } from '../tokens/send-form.ts';
import { emptyCard } from '../tokens/token-card.ts';
import { jsonBounds, readJsonText } from '../http/read-json.ts';
import type { Host } from '../ports/host.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import { createFlowLog, type FlowRecorder } from './flow-log.ts';
import { loopbackBlocker } from './loopback-redirect.ts';
import { signIn } from './sign-in.ts';

type Open = {
  address: string | null;
  closing: AbortController;
  ended: Promise<unknown>;
};

type SessionDependencies = {
  activeConnection: ActiveConnection;
  host: Host;
  settings: Pick<AppSettings, 'get' | 'update'>;
  clock: Clock;
  onChanged: () => void;
};

export function createSession({ activeConnection, host, settings, clock, onChanged }: SessionDependencies) {
  const flows = createFlowLog({ clock, onChanged });
  /** By connection. */
  const dialogs = new Map<string, Open>();

  async function state(): Promise<SessionState> {
    const connection = await activeConnection.current();
    const { id } = connection.profile;
    return {
      ...describeSession(connection, host, dialogs.get(id), isBrowserSessionSaved(id)),
      flows: flows.list().filter(({ connectionId }) => connectionId === id),
    };
  }

  function isBrowserSessionSaved(connectionId: string): boolean {
    return settings.get().keptBrowserSessions.includes(connectionId);
  }

  async function cancelDialog(connectionId: string): Promise<void> {
    const open = dialogs.get(connectionId);
    open?.closing.abort();
    await open?.ended;
  }

  async function startSignIn(input: SignInInput): Promise<SignInResult> {
    const connection = await activeConnection.current();
    const { id } = connection.profile;
    const needsDialog = input.way !== 'client_credentials' && input.way !== 'password';
    if (needsDialog) await cancelDialog(id);
    const flow = flows.start(connection.profile, input.way);
    const closing = new AbortController();
    const open: Open = { address: null, closing, ended: Promise.resolve() };
    const onAddress = (address: string) => {
      open.address = address;
      onChanged();
    };
    const release = connection.hold();
    const result = signIn(input, {
      connection,
      host,
      clock,
      flow,
      signal: closing.signal,
      onAddress,
      isBrowserSessionSaved: isBrowserSessionSaved(id),
    }).finally(release);
    if (!needsDialog) return reloaded(connection, await result);
    open.ended = result.catch(() => {});
    dialogs.set(id, open);
    onChanged();
    try {
      return await reloaded(connection, await result);
    } finally {
      if (dialogs.get(id) === open) dialogs.delete(id);
      onChanged();
    }
  }

  /** The service may have restarted, or connections been switched to and fro, while the dialog was open. */
  async function reloaded(signedInWith: Connection, result: SignInResult): Promise<SignInResult> {
    const now = activeConnection.present();
    const isSameAnew = now !== signedInWith && now?.profile.id === signedInWith.profile.id;
    if (isSameAnew && result.outcome === 'approved') await now.tokens[result.token.owner]?.reload();
    return result;
  }

  return {
    state,
    signIn: startSignIn,
    async cancelSignIn(): Promise<SessionState> {
      await cancelDialog((await activeConnection.current()).profile.id);
      return state();
    },
    async refresh(owner: TokenOwner): Promise<SessionState> {
      const { connection, manager } = await findManager(activeConnection, owner);
      const flow = flows.start(connection.profile, 'refresh');
      await recorded(flow, 'The token was refreshed.', () => manager.refresh(flow.recordResponse));
      return state();
    },
    async saveBrowserSession(isSaved: boolean): Promise<SessionState> {
      const { id } = (await activeConnection.current()).profile;
      const others = settings.get().keptBrowserSessions.filter((other) => other !== id);
      settings.update({ keptBrowserSessions: isSaved ? [...others, id] : others });
      if (!isSaved) await host.clearBrowserSession?.(id);
      onChanged();
      return state();
    },
    async clearBrowserSession(): Promise<SessionState> {
      const { id } = (await activeConnection.current()).profile;
      // An open sign-in would continue with the deleted data.
      await cancelDialog(id);
      await host.clearBrowserSession?.(id);
      return state();
    },
    async deleteToken(owner: TokenOwner): Promise<SessionState> {
      const { manager } = await findManager(activeConnection, owner);
      await manager.delete();
      return state();
    },
    async revoke(owner: TokenOwner, typedEndpoint?: string): Promise<SessionState> {
      const { connection, manager } = await findManager(activeConnection, owner);
      const held = await manager.held();
      if (!held) throw new AppFailure('NOT_FOUND', 'There is no token to revoke.');
      const endpoint = await findRevocationEndpoint(connection, typedEndpoint);
      const flow = flows.start(connection.profile, 'revoke');
      await recorded(flow, 'The service revoked the token.', () =>
        revokeToken(connection, endpoint, tokenToRevoke(held), flow.recordResponse),
      );
      await manager.delete();
      return state();
    },
    async reveal(
      owner: TokenOwner,
      what: 'access_token' | 'refresh_token',
    ): Promise<{ token: string; jwt: { header: string; claims: string } | null }> {
      const { manager } = await findManager(activeConnection, owner);
      const held = await manager.held();
      const token = what === 'access_token' ? held?.accessToken : held?.refreshToken;
      if (token == null) throw new AppFailure('NOT_FOUND', `There is no ${what.replace('_', ' ')} to show.`);
      return { token, jwt: readJwt(token) ?? null };
    },
    flows: flows.list,
    async close() {
      await Promise.all([...dialogs.keys()].map(cancelDialog));
    },
  };
}

/** Records a flow around work that has no result of its own to report. */
async function recorded<Result>(flow: FlowRecorder, title: string, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    flow.end('approved', title);
    return result;
  } catch (error) {
    const { code, message } = toProblem(error);
    flow.end(code.toLowerCase(), message);
    throw error;
  }
}

/** Ending the refresh token ends the whole authorization (RFC 7009 §2.1). */
function tokenToRevoke({ accessToken, refreshToken }: { accessToken: string; refreshToken: string | null }) {
  return refreshToken === null
    ? ({ value: accessToken, kind: 'access_token' } as const)
    : ({ value: refreshToken, kind: 'refresh_token' } as const);
}

async function findManager(activeConnection: ActiveConnection, owner: TokenOwner) {
  const connection = await activeConnection.current();
  const manager = connection.tokens[owner];
  if (manager) return { connection, manager };
  throw new AppFailure('UNAVAILABLE', `${connection.name} is a public client, which can’t get an application token.`);
}

/** Revokes it with the service (RFC 7009). Throws the AppFailure of its response. */
async function revokeToken(
  connection: Connection,
  endpoint: string,
  token: ReturnType<typeof tokenToRevoke>,
  watch: FlowRecorder['recordResponse'],
): Promise<void> {
  const { clientId, clientSecret, isPublic } = connection.profile;
  const response = await sendForm(
    connection.http,
    endpoint,
    { token: token.value, token_type_hint: token.kind },
    { clientId, clientSecret: isPublic ? undefined : clientSecret },
    { contentType: standardFormType, basic: 'encoded' },
  );
  watch(response);
  const failure = statusFailure(response);
  if (failure) throw failure;
}

/**
 * Returns the revocation endpoint: `typed`, or what the service announces (RFC 8414), because the interface has none
 * (docs/interface.md §5.8). The token and the client secret go there, so it must be on the origin of one of the connection's URLs. Throws
 * AppFailure INVALID_INPUT or UNAVAILABLE otherwise.
 */
async function findRevocationEndpoint(connection: Connection, typed?: string): Promise<string> {
  const { baseUrl, authUrl } = connection.profile;
  const origins = [baseUrl, authUrl].flatMap((url) => URL.parse(url)?.origin ?? []);
  const found = typed ?? (await fetchMetadata(connection, new URL(baseUrl).origin))?.revocation_endpoint;
  if (found !== undefined && origins.includes(URL.parse(found)?.origin ?? '')) return found;
  if (typed !== undefined)
    throw new AppFailure('INVALID_INPUT', `The revocation URL must start with ${[...new Set(origins)].join(' or ')}.`);
  throw new AppFailure(
    'UNAVAILABLE',
    'This service advertises no revocation URL on its own hosts, so the token was not revoked. Choose Revoke… again and enter the URL, or delete the token here only.',
  );
}

function describeSession(connection: Connection, host: Host, open: Open | undefined, isSaved: boolean) {
  const { profile, tokens } = connection;
  return {
    connectionId: profile.id,
    connectionName: profile.name,
    application: tokens.application?.card() ?? emptyCard('application'),
    user: tokens.user.card(),
    tokenInUse: connection.tokenInUse(),
    ways: signInMethods.map((way) => ({ way, unavailableReason: unavailableReasonOf(way, connection, host) })),
    windows: windowsOf(connection, host),
    browserSession: host.openDialog ? { isSaved } : null,
    open: open ? { address: open.address } : null,
  };
}

/** Why this sign-in method is not available here; null if it is. */
function unavailableReasonOf(way: SignInMethod, connection: Connection, host: Host): string | null {
  const { isPublic, authUrl, redirectUri } = connection.profile;
  if (way === 'client_credentials') {
    return isPublic ? 'A public client has no secret, so it cannot use client credentials.' : null;
  }
  if (way === 'password') return null;
  if (authUrl === '') return 'The connection has no sign-in URL.';
  if (redirectUri === '') return 'The connection has no redirect URL.';
  return windowsOf(connection, host).length === 0 ? (loopbackBlocker(redirectUri) ?? null) : null;
}

function windowsOf({ profile }: Connection, host: Host): ('app' | 'browser')[] {
  return [
    ...(host.openDialog ? (['app'] as const) : []),
    ...(loopbackBlocker(profile.redirectUri) === undefined ? (['browser'] as const) : []),
  ];
}

/** A token that is a JWT (RFC 7519), as text for a user; its signature is not verified. Undefined for an opaque token. */
function readJwt(token: string): { header: string; claims: string } | undefined {
  const parts = token.split('.');
  const [header, claims] = parts.map(readPart);
  return parts.length === 3 && header && claims ? { header, claims } : undefined;
}

function readPart(part: string): string | undefined {
  const reading = readJsonText(Buffer.from(part, 'base64url').toString('utf8'), jsonBounds(1));
  return reading.ok && isJsonObject(reading.value) ? JSON.stringify(reading.value, null, 2) : undefined;
}
