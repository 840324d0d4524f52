// Monitors as CSV and JSON, for spreadsheets, scripts, and other services. A cell that a spreadsheet would run as a formula gets
// an apostrophe before it, which reading takes off again.
import Papa from 'papaparse';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { writeDegrees } from '#renderer/ui/text/coordinate-text.ts';

export const fileColumns = ['id', 'name', 'lat', 'lng', 'callback_uri', 'tags', 'note'] as const;
/** What the export has beside these; the import ignores it. */
const reportColumns = ['state', 'last_event_at', 'delivered', 'failed'] as const;

/** What is reported of a monitor when it is exported. */
type MonitorReport = {
  state: string;
  /** RFC 3339, UTC; empty if there was none. */
  lastEventAt: string;
  /** Null if the service has no delivery log. */
  delivered: number | null;
  failed: number | null;
};
export type ReportOf = (monitor: AppMonitor) => MonitorReport;

/** What Excel and its like run: =, +, -, @ and their wide forms, tab, carriage return. A plain number runs nothing. */
const formula = /^(?![+-]?\d+(\.\d+)?$)[=+\-@\t\r＝＋－＠]/;

/** Tags are separated by semicolons. */
export function monitorsAsCsv(monitors: readonly AppMonitor[], reportOf?: ReportOf): string {
  const rows = monitors.map((monitor) => {
    const { id, name, geo, callbackUri, tags, note } = monitor;
    const cells = [id, name, writeDegrees(geo.lat), writeDegrees(geo.lng), callbackUri ?? '', tags.join('; '), note];
    const report = reportOf?.(monitor);
    const reported = report
      ? [report.state, report.lastEventAt, String(report.delivered ?? ''), String(report.failed ?? '')]
      : [];
    return [...cells, ...reported].map(guarded);
  });
  const header = [...fileColumns, ...(reportOf ? reportColumns : [])];
  return `${Papa.unparse([header, ...rows], { newline: '\r\n' })}\r\n`;
}

/** As the interface writes them (docs/interface.md §4.5, request form), with what a person wrote beside it. */
export function monitorsAsJson(monitors: readonly AppMonitor[]): string {
  const objects = monitors.map(({ id, monitorType, callbackUri, geo, name, tags, note }) => ({
    id,
    monitor_type: monitorType,
    callback_uri: callbackUri,
    geo,
    name,
    tags,
    note,
  }));
  return `${JSON.stringify({ monitors: objects }, null, 2)}\n`;
}

function guarded(cell: string): string {
  return formula.test(cell) || /^'+[=+\-@\t\r＝＋－＠]/.test(cell) ? `'${cell}` : cell;
}

/** Takes the guard off. */
export function unguarded(cell: string): string {
  return /^'+[=+\-@\t\r＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}
