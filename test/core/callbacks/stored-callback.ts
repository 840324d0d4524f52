// A stored callback with every field, for tests of what is made from one.
import type { EvidenceFacts } from '#core/receiver/checks/event-evidence.ts';
import type { StoredCallback } from '#core/receiver/records/stored-callback.ts';

export const noFacts: EvidenceFacts = {
  signing: { secrets: [], isClockMovable: false },
  monitors: undefined,
  monitorsListedAt: Infinity,
  ownOrigins: [],
  connectionId: undefined,
  deliveryLog: () => undefined,
};

export function storedCallback(changes: Partial<StoredCallback> = {}): StoredCallback {
  const body = changes.body ?? Buffer.from('{"id":"precipitation_7"}');
  return {
    id: 7,
    receivedAt: Date.parse('2026-11-21T06:00:00.000Z'),
    method: 'POST',
    target: '/hooks/a?x=1',
    remoteAddress: '192.0.2.7',
    sizeBytes: body.length,
    answeredStatus: 204,
    outcome: { kind: 'answered', at: '2026-11-21T06:00:00.012Z', afterMs: 12, bytesSent: 99 },
    refusal: null,
    monitorId: 'precipitation_7',
    isImported: false,
    isByFeed: false,
    httpVersion: '1.1',
    headers: [['Host', 'rain.example:4545']],
    trailers: [],
    truncated: false,
    note: '',
    answer: () => null,
    head: () => null,
    body,
    isBodyLost: false,
    feed: undefined,
    ...changes,
  };
}
