// Monitors and their deliveries as core hands them to the screens.
import type { BulkRun } from '#contract/app-rpc/monitor-bulk.ts';
import type { AppMonitor, DeliveryStates, MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import type { EventRecord } from '#contract/service-api/events.ts';
import type { DeliveryFacts } from '#renderer/features/monitors/common/delivery-status.ts';
import { deliveryOf } from '#test/core/monitors/monitor-delivery.ts';

export function monitorOf(id: string, part: Partial<AppMonitor> = {}): AppMonitor {
  return {
    id,
    monitorType: 'precipitation',
    callbackUri: 'https://ops.example.net/rain',
    toThisApp: false,
    geo: { lat: 45, lng: 7 },
    uri: null,
    lastCallback: null,
    name: '',
    tags: [],
    note: '',
    deletion: null,
    ...part,
  };
}

export const addressOf = (uri: string) => ({ kind: 'address', uri }) as const;

export const factsOf = (deliveries: Readonly<Record<string, Partial<MonitorDelivery>>>): DeliveryFacts => ({
  byMonitor: new Map(Object.entries(deliveries).map(([id, part]) => [id, deliveryOf(id, part)])),
  aheadMs: 0,
  plan: null,
  hasRadarMinutes: false,
  hasBacktest: false,
});

export const listOf = (monitors: readonly AppMonitor[]) => ({
  monitors: [...monitors],
  problems: [],
  fetchedAt: new Date().toISOString(),
});

type AvailableStates = Extract<DeliveryStates, { isAvailable: true }>;

/** Of a service that reports deliveries, and has neither a plan nor more than the interface. */
export const reportOf = (states: MonitorDelivery[], part: Partial<AvailableStates> = {}): AvailableStates => ({
  isAvailable: true,
  aheadMs: 0,
  states,
  plan: null,
  hasRadarMinutes: false,
  hasBacktest: false,
  ...part,
});

/** An action on many monitors that is done; all of them unless `part` says otherwise. */
export const runOf = (total: number, part: Partial<BulkRun> = {}): { run: BulkRun } => ({
  run: {
    title: '',
    total,
    done: total,
    failed: 0,
    stopped: 0,
    isRunning: false,
    canUndo: false,
    failures: [],
    ...part,
  },
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19);

/** Of N minutes ago; no one accepted it. */
export const eventOf = (number: number, part: Partial<EventRecord> = {}): EventRecord => ({
  id: `evt_${number}`,
  monitor_id: 'precipitation_1',
  type: 'precipitation',
  occurred_at: minutesAgo(number),
  state: 'failed',
  callback_uri: 'https://hooks.example.com/rain',
  host: 'hooks.example.com',
  episode_id: null,
  trigger: {
    source: 'metar:LIMF',
    basis: 'station',
    updated_at: minutesAgo(number),
    precipitation_rate: 0.4,
    precipitation_type: 'snow',
    distance_km: 3.1,
    coordinates: [7.65, 45.2],
  },
  attempts: [
    {
      attempt: 1,
      kind: 'first',
      started_at: minutesAgo(number),
      latency_ms: 31,
      request: { url: 'https://hooks.example.com/rain', headers: { 'webhook-id': `evt_${number}` }, body: '{"id":1}' },
      http_status: 401,
      error: 'http 401',
      answer: 'no such tenant',
    },
  ],
  outcome: null,
  ...part,
});
