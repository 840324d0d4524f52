// What other features may read of the tokens, and do with them.
import type { AppState } from '../../store/app-state.ts';
import type { SessionSlice } from './session-slice.ts';

export const selectSignIn = (state: AppState): SessionSlice['signIn'] => state.session.signIn;
export const selectReveal = (state: AppState): SessionSlice['reveal'] => state.session.reveal;

export function isSigningIn({ session }: AppState): boolean {
  return session.signingIn?.request.state === 'loading';
}
