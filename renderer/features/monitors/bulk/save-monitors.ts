// Offers monitors as a file.
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { monitorsAsCsv, monitorsAsJson } from '@rainbell/contract/monitor-files';
import { saveFile } from '../../../ui/hooks/save-file.ts';

export function saveMonitors(format: 'csv' | 'json', monitors: readonly AppMonitor[]): void {
  const day = new Date().toISOString().slice(0, 10);
  if (format === 'csv') saveFile(`monitors-${day}.csv`, 'text/csv;charset=utf-8', monitorsAsCsv(monitors));
  else saveFile(`monitors-${day}.json`, 'application/json', monitorsAsJson(monitors));
}
