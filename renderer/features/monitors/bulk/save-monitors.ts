// Offers monitors as a file.
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { saveFile } from '../../../ui/hooks/save-file.ts';
import {
  conditionLabels,
  monitorsAsCsv,
  monitorsAsJson,
  reportOf,
  type ReportOf,
} from '@rainbell/contract/monitor-files';
import { conditionOf, type DeliveryFacts, getDeliveryStatus } from '../common/delivery-status.ts';

export function saveMonitors(format: 'csv' | 'json', monitors: readonly AppMonitor[], facts: DeliveryFacts): void {
  const day = new Date().toISOString().slice(0, 10);
  if (format === 'csv')
    saveFile(`monitors-${day}.csv`, 'text/csv;charset=utf-8', monitorsAsCsv(monitors, reportsOf(facts)));
  else saveFile(`monitors-${day}.json`, 'application/json', monitorsAsJson(monitors, reportsOf(facts)));
}

function reportsOf(facts: DeliveryFacts): ReportOf {
  const now = Date.now();
  return (monitor) => {
    const delivery = facts?.byMonitor.get(monitor.id);
    if (facts && delivery) return reportOf(delivery, now + facts.aheadMs);
    // A service without a delivery log: what this app received.
    const status = getDeliveryStatus(monitor, facts, now);
    const lastEventAt = status.lastAt === null ? '' : new Date(status.lastAt).toISOString();
    return { ...reportOf(undefined, now), state: conditionLabels[conditionOf(status)], lastEventAt };
  };
}
