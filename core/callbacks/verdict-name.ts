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
  if (evidence.counts === true)
    return nameOfProven(callback, checks, evidence.sentAt !== undefined || callback.feed !== undefined);
  if (evidence.counts === undefined) return 'unknown';
  const isSigned = isSignedCallback(callback);
  const signs = signing.secrets.length > 0 || signing.hasDeliveryLog === true;
  return signs && !isSigned ? 'unsigned' : 'request';
}

/** A right signature does not make an event right: it may be for another path, of an unknown monitor, or a recording. */
function nameOfProven(callback: StoredCallback, checks: readonly CallbackCheck[], isInLog: boolean): VerdictName {
  const verdictOf = (check: CallbackCheck['check']) => checks.find((one) => one.check === check)?.verdict;
  const isRecording = verdictOf('signature') === 'warning' && isSignedCallback(callback);
  if (verdictOf('address') === 'error' || isRecording) return 'invalid';
  // The service's log or feed knows monitors that were deleted since.
  return verdictOf('registered') === 'warning' && !isInLog ? 'signed' : 'verified';
}

function isSignedCallback({ headers }: StoredCallback): boolean {
  return headerOf(headers, 'webhook-signature') !== undefined;
}
