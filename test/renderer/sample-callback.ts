// A callback with everything that a screen reads; nothing in it needs attention.
import type { CallbackSend } from '#contract/app-rpc/callback-sends.ts';
import type { Callback } from '#contract/app-rpc/callbacks.ts';

export function sampleCallback(changes: Partial<Callback> = {}): Callback {
  const at = new Date().toISOString();
  return {
    id: 1,
    receivedAt: at,
    method: 'POST',
    target: '/',
    remoteAddress: '127.0.0.1',
    sizeBytes: 9,
    answeredStatus: 200,
    outcome: { kind: 'answered', at, afterMs: 3, bytesSent: 2 },
    refusal: null,
    monitorId: null,
    isMonitorOwn: false,
    verdict: 'ok',
    verdictName: 'request',
    kind: 'other',
    hasNote: false,
    isImported: false,
    isByFeed: false,
    episode: [],
    httpVersion: '1.1',
    headers: [],
    head: null,
    trailers: [],
    answer: null,
    bodyBase64: '',
    decoded: null,
    truncated: false,
    hasOtherWay: false,
    checks: [],
    note: '',
    sends: [],
    ...changes,
  };
}

/** A replay of the first one. */
export function sampleSend(outcome: CallbackSend['outcome'], changes: Partial<CallbackSend> = {}): CallbackSend {
  return {
    id: 1,
    kind: 'replay',
    callbackId: 1,
    startedAt: new Date().toISOString(),
    tookMs: 3,
    method: 'POST',
    url: 'http://127.0.0.1:4545/',
    headers: [],
    outcome,
    ...changes,
  };
}
