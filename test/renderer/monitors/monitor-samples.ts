// Monitors and their deliveries as core hands them to the screens.
import type { AppMonitor, MonitorDelivery } from '#contract/app-rpc/monitors.ts';
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
