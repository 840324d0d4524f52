// Offers monitors as a file.
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { saveFile } from '#renderer/ui/hooks/save-file.ts';
import {
  conditionLabels,
  conditionOf,
  type DeliveryFacts,
  getDeliveryStatus,
} from '#renderer/features/monitors/common/delivery-status.ts';
import { monitorsAsCsv, monitorsAsJson, type ReportOf } from '#renderer/features/monitors/common/monitor-files.ts';

export function saveMonitors(format: 'csv' | 'json', monitors: readonly AppMonitor[], facts: DeliveryFacts): void {
  const day = new Date().toISOString().slice(0, 10);
  if (format === 'csv')
    saveFile(`monitors-${day}.csv`, 'text/csv;charset=utf-8', monitorsAsCsv(monitors, reportsOf(facts)));
  else saveFile(`monitors-${day}.json`, 'application/json', monitorsAsJson(monitors));
}

function reportsOf(facts: DeliveryFacts): ReportOf {
  const now = Date.now();
  return (monitor) => {
    const status = getDeliveryStatus(monitor, facts, now);
    const told = facts?.byMonitor.get(monitor.id);
    return {
      state: conditionLabels[conditionOf(status)],
      lastEventAt: status.lastAt === null ? '' : new Date(status.lastAt).toISOString(),
      delivered: told?.delivered ?? null,
      failed: told?.failed ?? null,
    };
  };
}
