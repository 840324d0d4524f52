// An exchange of the traffic log with everything that a screen reads.
import type { TrafficEntry } from '#contract/app-rpc/traffic.ts';

export function sampleExchange(id: number, changes: Partial<TrafficEntry> = {}): TrafficEntry {
  return {
    id,
    at: new Date().toISOString(),
    connectionId: 'sandbox',
    connectionName: 'Sandbox',
    kind: 'api',
    isBackground: false,
    method: 'GET',
    url: 'http://127.0.0.1:1/v2/weather/',
    status: 200,
    tookMs: 12,
    sizeBytes: 2,
    requestHeaders: [],
    requestBody: null,
    responseHeaders: [['content-type', 'application/json']],
    responseBody: '{}',
    truncated: false,
    timing: { lookedUpMs: null, connectedMs: 1, securedMs: null, firstByteMs: 8, totalMs: 12 },
    problem: null,
    ...changes,
  };
}
