// Names and explanations of ways, grants and outcomes.
import type { Flow, SignInResult, SignInWay, SpoilKind, TokenCard } from '#contract/app-rpc/session.ts';

export const wayNames: Readonly<Record<Flow['way'], string>> = {
  authorization_code: 'Authorization code',
  implicit: 'Implicit',
  client_credentials: 'Client credentials',
  password: 'Password',
  refresh: 'Refresh',
  revoke: 'Revocation',
};

/** For whom, and what comes of it. */
export const wayLabels: Readonly<Record<SignInWay, string>> = {
  authorization_code: 'A person signs in in the service’s dialog. The token can be renewed without them.',
  implicit: 'A person signs in in the service’s dialog. The token comes in the redirect and cannot be renewed.',
  client_credentials: 'The application itself, with client id and secret. Monitors need this token.',
  password: 'A person’s name and password, for applications that the operator allowed this.',
};

export const outcomeTitles: Readonly<Record<SignInResult['outcome'], string>> = {
  approved: 'Signed in',
  denied: 'The person said no',
  closed: 'The dialog was closed',
  timed_out: 'Nobody answered in time',
  wrong_state: 'The answer belongs to another attempt',
  refused: 'The service refused',
  network: 'The service could not be reached',
  server: 'The service failed',
  protocol: 'The answer breaks the rules',
  no_dialog: 'The dialog could not be shown',
};

/** What can be tried in the sandbox: the menu's words, and what is said when it is done. */
export const tokenFaultLabels: Readonly<Record<SpoilKind, { label: string; done: string }>> = {
  expire: { label: 'Expire now', done: 'The app holds the token for expired; the next call renews it.' },
  break_refresh: { label: 'Break the refresh token', done: 'The service will not know the refresh token.' },
  slow: { label: 'Slow token', done: 'The next token request waits for 5 seconds; calls wait with it.' },
  wrong_clock: {
    label: 'Wrong clock',
    done: 'The token is from tomorrow, as after this machine’s clock was set back; the next call renews it.',
  },
};

export const stateTones: Readonly<
  Record<TokenCard['state'], { tone: 'good' | 'warn' | 'bad' | 'plain' | 'accent'; words: string }>
> = {
  none: { tone: 'plain', words: 'none' },
  fetching: { tone: 'accent', words: 'refreshing' },
  valid: { tone: 'good', words: 'valid' },
  expired: { tone: 'warn', words: 'expired' },
  failed: { tone: 'bad', words: 'failed' },
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

/** Whether a flow ended otherwise than well; one that runs did not. */
export function didFail({ endedAt, outcome }: Pick<Flow, 'endedAt' | 'outcome'>): boolean {
  return endedAt !== null && outcome !== 'approved';
}

/** A person's "no" is no fault. */
export function flowTone(flow: Pick<Flow, 'endedAt' | 'outcome'>): 'accent' | 'good' | 'warn' | 'bad' {
  if (flow.endedAt === null) return 'accent';
  if (flow.outcome === 'denied' || flow.outcome === 'closed') return 'warn';
  return didFail(flow) ? 'bad' : 'good';
}
