// Tokens and sign-in of the connection in use. A password, and a token on show, pass through and stay nowhere in the store.
import type { SessionState, SignInInput, SignInMethod, SignInResult, TokenOwner } from '@rainbell/contract/app-rpc';
import { idle, type Outcome, outcomeOf, type Request, runCancelableRequest } from '../../store/request.ts';
import type { OtherSlices } from '../../store/app-state.ts';
import type { SliceTools } from '../../store/slice.ts';
import { oneAtATime } from '../../store/one-at-a-time.ts';
import type { NewToast } from '../../store/toasts-slice.ts';

export type RevealedToken = { token: string; jwt: { header: string; claims: string } | null };
export type SandboxAccount = { username: string; password: string; clientId: string; clientSecret: string };
export type Revealable = 'access_token' | 'refresh_token';

export interface SessionSlice extends ReturnType<typeof createSessionSlice> {}

export function createSessionSlice(tools: SliceTools<SessionSlice>, others: OtherSlices) {
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    state: null as SessionState | null,
    request: idle,
    /** The sign-in that runs; its dialog may be open. */
    signingIn: null as { way: SignInMethod; request: Request } | null,
    /** The way to a token that is shown; null: the first that works. */
    way: null as SignInMethod | null,
    showMethod: (way: SignInMethod | null): void => tools.change({ way }),
    /** How the last sign-in ended. */
    result: null as SignInResult | null,
    /** Refresh, delete, and revoke, for each token. */
    doing: { application: idle, user: idle } as Readonly<Record<TokenOwner, Request>>,
    ...createSessionActions(tools, others),
  };
}

/**
 * A refresh or a revocation that was sent can't be taken back, and its response may hold the only valid refresh token. So core goes
 * on, and only the screen stops waiting.
 */
const canceledText = 'Stopped waiting. If the service responds later, the token will be updated here.';

function createSessionActions(tools: SliceTools<SessionSlice>, { show }: OtherSlices) {
  const { client, read, change, run, runCancelable } = tools;
  const act = async (owner: TokenOwner, call: () => Promise<SessionState>, done: string) => {
    const state = await runCancelableRequest(
      (request) => change({ doing: { ...read().doing, [owner]: request } }),
      call,
      { canceledText },
    );
    if (state) {
      change({ state });
      show({ tone: 'good', message: done });
    }
    await read().load();
  };
  return {
    load: oneAtATime((): Promise<void> =>
      runCancelable('request', async (signal) => change({ state: await client.session.state(undefined, { signal }) })),
    ),
    signIn: (input: SignInInput): Promise<boolean> => signIn(tools, input, show),
    cancelSignIn: (): Promise<unknown> => run('request', () => client.session.cancelSignIn()),
    dismissResult: (): void => change({ result: null }),
    refresh: (owner: TokenOwner): Promise<void> =>
      act(
        owner,
        () => client.session.refresh({ owner }),
        'New token received. The sign-in log shows the request and its response.',
      ),
    /** Whether the sign-in window remembers the user. */
    saveBrowserSession: (isSaved: boolean): Promise<void> =>
      run('request', async () => change({ state: await client.session.saveBrowserSession({ isSaved }) })),
    clearBrowserSession: (): Promise<void> =>
      run('request', async () => {
        change({ state: await client.session.clearBrowserSession() });
        show({ tone: 'good', message: 'Browser session deleted' });
      }),
    deleteToken: (owner: TokenOwner): Promise<void> =>
      act(owner, () => client.session.deleteToken({ owner }), 'Token deleted'),
    /** `endpoint`: empty for the one in the service's metadata. */
    revoke: (owner: TokenOwner, endpoint: string): Promise<void> =>
      act(owner, () => client.session.revoke({ owner, ...(endpoint && { endpoint }) }), 'Token revoked and deleted'),
    reveal: (owner: TokenOwner, what: Revealable): Promise<Outcome<RevealedToken>> =>
      outcomeOf(() => client.session.reveal({ owner, what })),
    /** The sandbox's own account, for its sign-in page. */
    sandboxAccount: (): Promise<Outcome<SandboxAccount>> => outcomeOf(() => client.sandbox.account()),
  };
}

/** Returns whether it was approved. Only the newest sign-in reports its end; one that it ended shows it in its flow. */
async function signIn(
  { client, read, change }: SliceTools<SessionSlice>,
  input: SignInInput,
  show: (toast: NewToast) => void,
): Promise<boolean> {
  const own: NonNullable<SessionSlice['signingIn']> = { way: input.way, request: idle };
  const since = Date.now();
  let current = { ...own, request: { state: 'loading', since } as Request };
  change({ signingIn: current, result: null });
  const result = await runCancelableRequest(
    (request) => {
      if (read().signingIn !== current) return;
      current = { ...own, request };
      change({ signingIn: current });
    },
    () => client.session.signIn(input),
    { canceledText },
  );
  // The flow's steps come first, so that the outcome appears with them.
  await read().load();
  if (result && read().signingIn === current) {
    change({ result: result.outcome === 'approved' ? null : result, signingIn: null });
    if (result.outcome === 'approved') show({ tone: 'good', message: result.message });
  }
  return result?.outcome === 'approved';
}
