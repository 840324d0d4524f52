import type { Feature, Parts } from '../app/feature.ts';

export function session({ session: current, events, screens }: Parts): Feature<'session'> {
  events.on('connectionChanged', () => screens.publish({ topic: 'session' }));
  return {
    handlers: {
      session: {
        state: current.state,
        signIn: ({ input }) => current.signIn(input),
        cancelSignIn: current.cancelSignIn,
        refresh: ({ input }) => current.refresh(input.owner),
        saveBrowserSession: ({ input }) => current.saveBrowserSession(input.isSaved),
        clearBrowserSession: current.clearBrowserSession,
        deleteToken: ({ input }) => current.deleteToken(input.owner),
        revoke: ({ input }) => current.revoke(input.owner, input.endpoint),
        reveal: ({ input }) => current.reveal(input.owner, input.what),
      },
    },
    notices: () => [{ topic: 'session' }],
    close: current.close,
  };
}
