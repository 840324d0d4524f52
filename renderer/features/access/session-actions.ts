// What can be done with the tokens: sign in, refresh, revoke, reveal, and try out faults.
import type { SessionState, SignInInput, TokenOwner } from '#contract/app-rpc/session.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { idle, type Request, runCancelableRequest, runRequest, toFailure } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { NewToast } from '#renderer/store/toasts-slice.ts';
import type { SessionActions, SessionSlice } from './session-slice.ts';

export function createSessionActions(tools: SliceTools<SessionSlice>, { show }: OtherSlices): SessionActions {
  const { client, read, change } = tools;
  const act = async (owner: TokenOwner, call: () => Promise<SessionState>, done: string) => {
    const state = await runRequest((request) => change({ doing: { ...read().doing, [owner]: request } }), call);
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
    refresh: (owner, scope) =>
      act(
        owner,
        () => client.session.refresh({ owner, ...(scope === undefined ? {} : { scope }) }),
        'A new token is here. “What was said” shows the request and its answer.',
      ),
    async spoil(owner, how) {
      // Only its screen has these texts.
      const { tokenFaultLabels } = await import('./access-labels.ts');
      await act(owner, () => client.session.spoil({ owner, how }), tokenFaultLabels[how].done);
    },
    async keepBrowserSession(keep) {
      const state = await runRequest(
        (request) => change({ request }),
        () => client.session.keepBrowserSession({ keep }),
      );
      if (state) change({ state });
    },
    async forgetBrowserSession() {
      const state = await runRequest(
        (request) => change({ request }),
        () => client.session.forgetBrowserSession(),
      );
      if (!state) return;
      change({ state });
      show({ tone: 'good', message: 'The sign-in window forgot its cookies and storage.' });
    },
    forgetToken: (owner) => act(owner, () => client.session.forget({ owner }), 'The token is forgotten.'),
    async revoke(owner, endpoint) {
      const answer = await runRequest(
        (request) => change({ doing: { ...read().doing, [owner]: request } }),
        () => client.session.revoke({ owner, ...(endpoint !== undefined && { endpoint }) }),
      );
      if (answer) {
        change({ state: answer.session });
        if (answer.revoked) show({ tone: 'good', message: answer.message });
      }
      await read().load();
      return answer?.revoked === false;
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

async function loadSession({ client, change }: SliceTools<SessionSlice>): Promise<void> {
  const [state, flows] = await Promise.all([
    runCancelableRequest(
      (request) => change({ request }),
      (signal) => client.session.state(undefined, { signal }),
    ),
    runRequest(
      (flowsRequest) => change({ flowsRequest }),
      () => client.session.flows(),
    ),
  ]);
  if (state) change({ state });
  if (flows) change({ flows });
}

/** Answers whether it was approved. Only the newest sign-in tells its end; one that it ended says so in its flow. */
async function signIn(
  { client, read, change }: SliceTools<SessionSlice>,
  input: SignInInput,
  show: (toast: NewToast) => void,
): Promise<boolean> {
  const own: NonNullable<SessionSlice['signingIn']> = { way: input.way, request: idle };
  const since = Date.now();
  let current = { ...own, request: { state: 'loading', since } as Request };
  change({ signingIn: current, result: null });
  const result = await runRequest(
    (request) => {
      if (read().signingIn !== current) return;
      current = { ...own, request };
      change({ signingIn: current });
    },
    () => client.session.signIn(input),
  );
  // The flow's steps come first, so that the outcome appears with them.
  await read().load();
  if (result && read().signingIn === current) {
    change({ result: result.outcome === 'approved' ? null : result, signingIn: null });
    if (result.outcome === 'approved') show({ tone: 'good', message: result.message });
  }
  return result?.outcome === 'approved';
}
