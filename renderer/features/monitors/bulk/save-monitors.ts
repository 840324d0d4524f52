// Offers monitors as a file.
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { saveFile } from '#renderer/ui/hooks/save-file.ts';
import { monitorsAsCsv, monitorsAsJson } from '#renderer/features/monitors/common/monitor-files.ts';

export function saveMonitors(format: 'csv' | 'json', monitors: readonly AppMonitor[]): void {
  const day = new Date().toISOString().slice(0, 10);
  if (format === 'csv') saveFile(`monitors-${day}.csv`, 'text/csv;charset=utf-8', monitorsAsCsv(monitors));
  else saveFile(`monitors-${day}.json`, 'application/json', monitorsAsJson(monitors));
}
