// Monitors as CSV and JSON. A cell that a spreadsheet would run as a formula gets an apostrophe, which the import removes.
import { csvCell, writeDegrees } from '@rainbell/shared';
import type { AppMonitor } from '../app-rpc/monitors.ts';

export const fileColumns = ['id', 'name', 'lat', 'lng', 'callback_uri', 'tags', 'note', 'options'] as const;

/** Separates tags by semicolons; one inside a tag is escaped with a backslash, as is a comma. */
export function monitorsAsCsv(monitors: readonly AppMonitor[]): string {
  const hasOptions = monitors.some(({ options }) => options);
  const rows = monitors.map((monitor) => {
    const { id, name, geo, callbackUri, tags, note, options } = monitor;
    return [
      id,
      name,
      writeDegrees(geo.lat),
      writeDegrees(geo.lng),
      callbackUri ?? '',
      tags.map(escapedTag).join('; '),
      note,
      ...(hasOptions ? [options ? JSON.stringify(options) : ''] : []),
    ];
  });
  const header = fileColumns.filter((name) => name !== 'options' || hasOptions);
  return [header, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** Formats monitors as the interface does (docs/interface.md §4.5, request form), with the user's notes. */
export function monitorsAsJson(monitors: readonly AppMonitor[]): string {
  const objects = monitors.map((monitor) => {
    const { id, monitorType, callbackUri, geo, name, tags, note, options } = monitor;
    return {
      id,
      monitor_type: monitorType,
      callback_uri: callbackUri,
      geo,
      ...options,
      name,
      tags,
      note,
    };
  });
  return `${JSON.stringify({ monitors: objects }, null, 2)}\n`;
}

function escapedTag(tag: string): string {
  return tag.replaceAll(/[\\;,]/g, '\\$&');
}
