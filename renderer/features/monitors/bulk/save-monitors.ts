// Offers monitors as a file.
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { saveFile } from '#renderer/ui/hooks/save-file.ts';
import { conditionLabels, reportOf } from '#contract/monitor-files/monitor-report.ts';
import {
  conditionOf,
  type DeliveryFacts,
  getDeliveryStatus,
} from '#renderer/features/monitors/common/delivery-status.ts';
import { monitorsAsCsv, monitorsAsJson, type ReportOf } from '#contract/monitor-files/export-monitors.ts';

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
