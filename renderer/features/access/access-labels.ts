// Names and explanations of ways, grants and outcomes.
import type { Flow, SignInMethod, SignInResult, TokenCard } from '@rainbell/contract/app-rpc';

export const methodNames: Readonly<Record<Flow['way'], string>> = {
  authorization_code: 'Authorization code',
  implicit: 'Implicit',
  client_credentials: 'Client credentials',
  password: 'Password',
  refresh: 'Refresh',
  revoke: 'Revocation',
};

export const methodLabels: Readonly<Record<SignInMethod, string>> = {
  authorization_code: 'Sign in on the service’s page. The token then refreshes automatically.',
  implicit: 'Sign in on the service’s page. The redirect contains the token, which can’t be refreshed.',
  client_credentials: 'The application authenticates with its client ID and secret. Monitors need this token.',
  password: 'Sign in with a username and password. The operator must allow this for the application.',
};

export const outcomeTitles: Readonly<Record<SignInResult['outcome'], string>> = {
  approved: 'Signed in',
  denied: 'Access denied',
  closed: 'Sign-in page closed',
  timed_out: 'Sign-in timed out',
  wrong_state: 'Response to another sign-in',
  refused: 'Refused by the service',
  network: 'Service not reachable',
  server: 'Service error',
  protocol: 'Invalid response',
  no_dialog: 'Couldn’t open the sign-in page',
};

export const stateTones: Readonly<
  Record<TokenCard['state'], { tone: 'good' | 'warn' | 'bad' | 'plain' | 'accent'; label: string }>
> = {
  none: { tone: 'plain', label: 'None' },
  fetching: { tone: 'accent', label: 'Requesting…' },
  valid: { tone: 'good', label: 'Valid' },
  expired: { tone: 'warn', label: 'Expired' },
  failed: { tone: 'bad', label: 'Failed' },
};

/** `59:07`, `1:02:45`, for a countdown that lives. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const pad = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}
