// Tokens and sign-in of the connection in use. A password, and a token on show, pass through and stay nowhere in the store.
import type {
  Flow,
  SessionState,
  SignInInput,
  SignInResult,
  SignInMethod,
  TokenFaultKind,
  TokenOwner,
} from '#contract/app-rpc/session.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { type Failure, idle, type Request } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

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
  /** `scope` narrows it (RFC 6749 section 6); an empty one requests all that was granted. */
  refresh(owner: TokenOwner, scope?: string): Promise<void>;
  /** For trying things out, in the sandbox. */
  simulateFault(owner: TokenOwner, how: TokenFaultKind): Promise<void>;
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

const loadActions = laterModule(() => import('./session-actions.ts'));

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
    ...laterActions(
      {
        load: true,
        signIn: true,
        cancelSignIn: true,
        dismissResult: true,
        refresh: true,
        simulateFault: true,
        saveBrowserSession: true,
        clearBrowserSession: true,
        deleteToken: true,
        revoke: true,
        reveal: true,
        sandboxAccount: true,
      },
      loadActions,
      ({ createSessionActions }) => createSessionActions(tools, others),
    ),
  };
}
