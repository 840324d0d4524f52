// The verdict on a callback in one name (contract/app-rpc/callback-verdicts.ts), from its checks and the evidence.
import type { CallbackCheck, CallbackSummary, VerdictName } from '@rainbell/contract/app-rpc';
import { headerOf } from '../http/http-headers.ts';
import { replayMarks, type EventEvidence } from '../receiver/checks/event-evidence.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import type { SigningFacts } from '../receiver/checks/signature-check.ts';

type ValidatedCallback = {
  callback: StoredCallback;
  checks: readonly CallbackCheck[];
  kind: CallbackSummary['kind'];
  evidence: EventEvidence;
  signing: SigningFacts;
};

/** Not for refused requests, which have no checks. */
export function verdictNameOf({ callback, checks, kind, evidence, signing }: ValidatedCallback): VerdictName {
  const has = (check: CallbackCheck['check']) => checks.some((one) => one.check === check && one.verdict === 'error');
  if (callback.monitorId === null) return 'request';
  if (has('signature')) return 'invalid';
  const isReplay = replayMarks.some((name) => headerOf(callback.headers, name) !== undefined);
  if (kind === 'test' || callback.isImported || isReplay) return 'request';
  const breach = checks.find((one) => one.breach !== undefined)?.breach;
  if (breach) return breach;
  if (has('monitor') || has('request')) return 'invalid';
  if (evidence.counts === true) return nameOfEvent(callback, checks, evidence);
  if (evidence.counts === undefined) return 'unknown';
  const signs = signing.secrets.length > 0 || signing.hasDeliveryLog === true;
  return signs && !isSignedCallback(callback) ? 'unsigned' : 'request';
}

/**
 * Only a right signature proves an event, or the feed, which the app reads itself. It does not make the event right: it may be for another
 * path, of an unknown monitor, or a recording.
 */
function nameOfEvent(
  callback: StoredCallback,
  checks: readonly CallbackCheck[],
  { sentAt }: EventEvidence,
): VerdictName {
  const verdictOf = (check: CallbackCheck['check']) => checks.find((one) => one.check === check)?.verdict;
  const isSigned = isSignedCallback(callback);
  if (verdictOf('address') === 'error' || (verdictOf('signature') === 'warning' && isSigned)) return 'invalid';
  if (verdictOf('signature') !== 'ok' && !callback.feed) return isSigned ? 'signed' : 'unsigned';
  // The service's log or feed knows monitors that were deleted or moved since.
  const isKnown = verdictOf('registered') !== 'warning' || sentAt !== undefined || callback.feed !== undefined;
  return isKnown ? 'verified' : 'signed';
}

function isSignedCallback({ headers }: StoredCallback): boolean {
  return headerOf(headers, 'webhook-signature') !== undefined;
}
