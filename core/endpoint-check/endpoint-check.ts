// Runs the cases of the endpoint check against one URL.
import {
  type CheckAttempt,
  type CheckCaseId,
  checkCaseIds,
  checkCaseTitles,
  type CheckedCase,
  type CheckFinding,
  type CheckResult,
} from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { Clock } from '@rainbell/shared';
import { checkCases } from './check-cases.ts';
import type { SenderProfile } from '../senders/sender-profile.ts';
import { createCheckEvents } from './check-events.ts';
import type { CheckSender } from './check-sender.ts';

export type RunCaseOptions = {
  url: string;
  case: CheckCaseId;
  /** The sender to sign as; without it, a Rainbell service, with a secret as in Standard Webhooks: `whsec_` and base64. */
  profile?: SenderProfile | undefined;
  secret: string;
  /** Null for a made-up one. */
  monitorId: string | null;
};

/** Requests that these cases send, at most. */
export function requestsOf(cases: readonly CheckCaseId[]): number {
  return cases.reduce((sum, id) => sum + checkCases[id].requests, 0);
}

export function createEndpointCheck({ sender, clock }: { sender: CheckSender; clock: Clock }) {
  return {
    /** Throws AppFailure INVALID_INPUT for a URL to which nothing is sent. */
    prepare: (url: string): { shownUrl: string; requests: number } => ({
      shownUrl: withoutQuery(sender.requireAllowed(url)),
      requests: requestsOf(checkCaseIds),
    }),
    /** Runs one case. Throws AppFailure INVALID_INPUT for a URL or a secret that can't be used. */
    async runCase({ url, case: id, secret, monitorId, profile }: RunCaseOptions): Promise<CheckedCase> {
      sender.requireAllowed(url);
      if (!profile) requireSigningSecret(secret);
      const exchanges: CheckAttempt[] = [];
      const startedAt = clock.elapsed();
      const findings = await checkCases[id].run({
        events: createCheckEvents({ url, secret, monitorId, clock, profile }),
        async send(sent, { body }, headers, pace = 'whole') {
          const reply = await sender.send(url, { sent, headers, body: Buffer.from(body), pace });
          const { headers: _, isEarly: _early, ...attempt } = reply;
          exchanges.push(attempt);
          return attempt;
        },
      });
      const tookMs = clock.elapsed() - startedAt;
      return { case: id, title: checkCaseTitles[id], result: resultOf(findings), tookMs, findings, exchanges };
    },
    /** Aborts what runs. */
    close: sender.close,
  };
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
