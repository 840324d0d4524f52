// Monitors as CSV and JSON, for spreadsheets, scripts, and other services. A cell that a spreadsheet would run as a formula gets an
// apostrophe prefix, which the import removes.
import { csvCell, writeDegrees } from '@rainbell/shared';
import type { AppMonitor } from '../app-rpc/monitors.ts';
import type { MonitorReport } from './monitor-report.ts';

export const fileColumns = ['id', 'name', 'lat', 'lng', 'callback_uri', 'tags', 'note', 'options'] as const;
/** Additional columns of the export; the import ignores them. */
const reportColumns = ['state', 'last_event_at', 'delivered', 'failed'] as const;

export type ReportOf = (monitor: AppMonitor) => MonitorReport;

/** Separates tags by semicolons; one inside a tag is escaped with a backslash, as is a comma. */
export function monitorsAsCsv(monitors: readonly AppMonitor[], reportOf?: ReportOf): string {
  const hasOptions = monitors.some(({ options }) => options);
  const rows = monitors.map((monitor) => {
    const { id, name, geo, callbackUri, tags, note, options } = monitor;
    const cells = [
      id,
      name,
      writeDegrees(geo.lat),
      writeDegrees(geo.lng),
      callbackUri ?? '',
      tags.map(escapedTag).join('; '),
      note,
      ...(hasOptions ? [options ? JSON.stringify(options) : ''] : []),
    ];
    const report = reportOf?.(monitor);
    const reported = report
      ? [report.state, report.lastEventAt, String(report.delivered ?? ''), String(report.failed ?? '')]
      : [];
    return [...cells, ...reported];
  });
  const header = [
    ...fileColumns.filter((name) => name !== 'options' || hasOptions),
    ...(reportOf ? reportColumns : []),
  ];
  return [header, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** Formats monitors as the interface does (docs/interface.md §4.5, request form), with the user's notes and the report. */
export function monitorsAsJson(monitors: readonly AppMonitor[], reportOf?: ReportOf): string {
  const objects = monitors.map((monitor) => {
    const { id, monitorType, callbackUri, geo, name, tags, note, options } = monitor;
    const report = reportOf?.(monitor);
    return {
      id,
      monitor_type: monitorType,
      callback_uri: callbackUri,
      geo,
      ...options,
      name,
      tags,
      note,
      ...(report && {
        state: report.state,
        last_event_at: report.lastEventAt === '' ? null : report.lastEventAt,
        delivered: report.delivered,
        failed: report.failed,
      }),
    };
  });
  return `${JSON.stringify({ monitors: objects }, null, 2)}\n`;
}

function escapedTag(tag: string): string {
  return tag.replaceAll(/[\\;,]/g, '\\$&');
}
