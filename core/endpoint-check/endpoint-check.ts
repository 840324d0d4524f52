// Runs the cases of the endpoint check against one URL.
import {
  type CheckAttempt,
  type CheckCaseId,
  checkCaseTitles,
  type CheckedCase,
  type CheckFinding,
  type CheckResult,
} from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { Clock } from '@rainbell/shared';
import { checkCases } from './check-cases.ts';
import type { SenderProfile } from '../senders/sender-profile.ts';
import { standardWebhooks } from '../senders/sender-rows.ts';
import { createCheckEvents } from './check-events.ts';
import type { CheckSender } from './check-sender.ts';

export type CheckOptions = {
  send: CheckSender['send'];
  clock: Clock;
  url: string;
  /** The sender to sign as; `standardWebhooks` for a Rainbell service, with a secret of `whsec_` and base64. */
  profile: SenderProfile;
  secret: string;
  /** Null for a made-up one. */
  monitorId: string | null;
};

/** Requests that these cases send, at most. */
export function requestsOf(cases: readonly CheckCaseId[]): number {
  return cases.reduce((sum, id) => sum + checkCases[id].requests, 0);
}

/** Runs one case. Throws AppFailure INVALID_INPUT for a URL or a secret that can't be used. */
export async function runCase(id: CheckCaseId, { send, clock, ...wanted }: CheckOptions): Promise<CheckedCase> {
  const { url, profile, secret } = wanted;
  if (profile === standardWebhooks) requireSigningSecret(secret);
  const exchanges: CheckAttempt[] = [];
  const startedAt = clock.elapsed();
  const events = createCheckEvents({ ...wanted, clock });
  const findings = await checkCases[id].run({
    events,
    async send(sent, event, signing = {}, pace = 'whole') {
      const headers = Array.isArray(signing) ? signing : events.sign(event, signing);
      const reply = await send(url, { sent, headers, body: Buffer.from(event.body), pace });
      const { headers: _, isEarly: _early, ...attempt } = reply;
      exchanges.push(attempt);
      return reply;
    },
  });
  const tookMs = clock.elapsed() - startedAt;
  return { case: id, title: checkCaseTitles[id], result: resultOf(findings), tookMs, findings, exchanges };
}

/** The URL as reports show it: its query may hold a secret. */
export function withoutQuery({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

function resultOf(findings: readonly CheckFinding[]): CheckResult {
  const results = findings.map(({ result }) => result);
  if (results.includes('failed')) return 'failed';
  return results.includes('passed') ? 'passed' : 'not-visible';
}

/** HMAC keys of Standard Webhooks are 24 to 64 bytes; shorter ones of other services work, too. */
function requireSigningSecret(secret: string): void {
  if (/^(whsec_)?[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return;
  const message = 'The secret must be whsec_ followed by 24 to 64 bytes in base64, exactly as the service showed it.';
  throw new AppFailure('INVALID_INPUT', message, { field: 'secret' });
}
