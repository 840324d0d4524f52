// Tokens and sign-in of the connection in use. A password, and a token on show, pass through and stay nowhere in the store.
import type {
  Flow,
  SessionState,
  SignInInput,
  SignInMethod,
  SignInResult,
  TokenOwner,
} from '@rainbell/contract/app-rpc';
import { type Failure, idle, type Request, runCancelableRequest, runRequest, toFailure } from '../../store/request.ts';
import type { OtherSlices } from '../../store/app-state.ts';
import type { Slice, SliceTools } from '../../store/slice.ts';
import { oneAtATime } from '../../store/one-at-a-time.ts';
import type { NewToast } from '../../store/toasts-slice.ts';

export type RevealedToken = { token: string; jwt: { header: string; claims: string } | null };
export type SandboxAccount = { username: string; password: string };
export type Revealable = 'access_token' | 'refresh_token';

export type SessionSlice = SessionActions & {
  state: SessionState | null;
  request: Request;
  flows: readonly Flow[];
  flowsRequest: Request;
  /** The sign-in that runs; its dialog may be open. */
  signingIn: { way: SignInMethod; request: Request } | null;
  /** The way to a token that is shown; null: the first that works. */
  way: SignInMethod | null;
  showMethod(way: SignInMethod | null): void;
  /** How the last sign-in ended. */
  result: SignInResult | null;
  /** Refresh, delete, and revoke, for each token. */
  doing: Readonly<Record<TokenOwner, Request>>;
};

export type SessionActions = {
  load(): Promise<void>;
  signIn(input: SignInInput): Promise<boolean>;
  cancelSignIn(): Promise<void>;
  dismissResult(): void;
  refresh(owner: TokenOwner): Promise<void>;
  /** Whether the sign-in window remembers the user. */
  saveBrowserSession(isSaved: boolean): Promise<void>;
  clearBrowserSession(): Promise<void>;
  deleteToken(owner: TokenOwner): Promise<void>;
  /** Whether the URL of the revocation endpoint is needed: then nothing happened yet. */
  revoke(owner: TokenOwner, endpoint?: string): Promise<boolean>;
  reveal(owner: TokenOwner, what: Revealable): Promise<{ revealed: RevealedToken } | { failure: Failure }>;
  /** The sandbox's own account, for its sign-in page. */
  sandboxAccount(): Promise<{ account: SandboxAccount } | { failure: Failure }>;
};

export function createSessionSlice(tools: SliceTools<SessionSlice>, others: OtherSlices): Slice<SessionSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    state: null,
    request: idle,
    flows: [],
    flowsRequest: idle,
    signingIn: null,
    way: null,
    showMethod: (way) => tools.change({ way }),
    result: null,
    doing: { application: idle, user: idle },
    ...createSessionActions(tools, others),
  };
}

/**
 * A refresh or a revocation that was sent can't be taken back, and its response may hold the only valid refresh token. So core goes
 * on, and only the screen stops waiting.
 */
const stoppedWaiting = 'Stopped waiting. If the service responds later, the token will be updated here.';

function createSessionActions(tools: SliceTools<SessionSlice>, { show }: OtherSlices): SessionActions {
  const { client, read, change } = tools;
  const act = async (owner: TokenOwner, call: () => Promise<SessionState>, done: string) => {
    const state = await runCancelableRequest(
      (request) => change({ doing: { ...read().doing, [owner]: request } }),
      call,
      stoppedWaiting,
    );
    if (state) {
      change({ state });
      show({ tone: 'good', message: done });
    }
    await read().load();
  };
  return {
    load: oneAtATime(() => loadSession(tools)),
    signIn: (input) => signIn(tools, input, show),
    async cancelSignIn() {
      await runRequest(
        (request) => change({ request }),
        () => client.session.cancelSignIn(),
      );
    },
    dismissResult: () => change({ result: null }),
    refresh: (owner) =>
      act(
        owner,
        () => client.session.refresh({ owner }),
        'New token received. The sign-in log shows the request and its response.',
      ),
    async saveBrowserSession(isSaved) {
      const state = await runRequest(
        (request) => change({ request }),
        () => client.session.saveBrowserSession({ isSaved }),
      );
      if (state) change({ state });
    },
    async clearBrowserSession() {
      const state = await runRequest(
        (request) => change({ request }),
        () => client.session.clearBrowserSession(),
      );
      if (!state) return;
      change({ state });
      show({ tone: 'good', message: 'Browser session deleted' });
    },
    deleteToken: (owner) => act(owner, () => client.session.deleteToken({ owner }), 'Token deleted'),
    async revoke(owner, endpoint) {
      const result = await runCancelableRequest(
        (request) => change({ doing: { ...read().doing, [owner]: request } }),
        () => client.session.revoke({ owner, ...(endpoint !== undefined && { endpoint }) }),
        stoppedWaiting,
      );
      if (result) {
        change({ state: result.session });
        if (result.revoked) show({ tone: 'good', message: result.message });
      }
      await read().load();
      return result?.revoked === false;
    },
    async reveal(owner, what) {
      try {
        return { revealed: await client.session.reveal({ owner, what }) };
      } catch (error) {
        return { failure: toFailure(error) };
      }
    },
    async sandboxAccount() {
      try {
        return { account: await client.sandbox.account() };
      } catch (error) {
        return { failure: toFailure(error) };
      }
    },
  };
}

/** Each part is taken when it arrives: an action may have returned a newer state before the other one arrives. */
async function loadSession({ client, change }: SliceTools<SessionSlice>): Promise<void> {
  const loadState = async () => {
    const state = await runCancelableRequest(
      (request) => change({ request }),
      (signal) => client.session.state(undefined, { signal }),
    );
    if (state) change({ state });
  };
  const loadFlows = async () => {
    const flows = await runRequest(
      (flowsRequest) => change({ flowsRequest }),
      () => client.session.flows(),
    );
    if (flows) change({ flows });
  };
  await Promise.all([loadState(), loadFlows()]);
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
    stoppedWaiting,
  );
  // The flow's steps come first, so that the outcome appears with them.
  await read().load();
  if (result && read().signingIn === current) {
    change({ result: result.outcome === 'approved' ? null : result, signingIn: null });
    if (result.outcome === 'approved') show({ tone: 'good', message: result.message });
  }
  return result?.outcome === 'approved';
}
