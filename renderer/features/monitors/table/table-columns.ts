// The columns of the table of monitors.
import type { MonitorSort } from '../common/monitor-list-slice.ts';

export const monitorColumns = [
  { key: 'place', name: 'Place', width: 'minmax(140px, 1.2fr)', by: 'place' },
  { key: 'state', name: 'Status', width: 'minmax(112px, 0.8fr)', by: 'state' },
  { key: 'last', name: 'Last callback', width: 'minmax(104px, 0.8fr)', by: 'last' },
  { key: 'next', name: 'Next possible event', width: 'minmax(128px, 0.6fr)', by: 'next' },
  { key: 'tags', name: 'Tags', width: 'minmax(90px, 0.9fr)', by: null },
  { key: 'callback', name: 'Callback URL', width: 'minmax(150px, 1.4fr)', by: 'callback' },
  { key: 'created', name: 'Created', width: '112px', by: 'created' },
] as const satisfies readonly { key: string; name: string; width: string; by: MonitorSort['by'] | null }[];

const checkboxWidth = '28px';
const nameWidth = 'minmax(140px, 1fr)';
const actionsWidth = '148px';
/** As in MonitorTable.module.css. */
const [gapPixels, paddingPixels] = [12, 32];

/** The grid of a row of the shown columns, and the width below which the table scrolls sideways. */
export function tableGrid(shown: readonly { width: string }[]): { template: string; min: number } {
  const widths = [checkboxWidth, nameWidth, ...shown.map(({ width }) => width), actionsWidth];
  const min = widths.reduce((sum, width) => sum + Number(/\d+/.exec(width)?.[0] ?? 0), 0);
  return { template: widths.join(' '), min: min + gapPixels * (widths.length - 1) + paddingPixels };
}

export type MonitorColumn = (typeof monitorColumns)[number]['key'];

export const defaultColumns: readonly MonitorColumn[] = ['place', 'state', 'last', 'next', 'tags'];
/** Always shown; the details have the rest. */
const splitColumns: readonly MonitorColumn[] = ['place', 'state'];

/** Returns the columns that fit, in their order; `pixels`: the width of the table. */
export function fitColumns(wanted: readonly MonitorColumn[], pixels: number): readonly MonitorColumn[] {
  const fits = (keys: readonly MonitorColumn[]) =>
    tableGrid(monitorColumns.filter(({ key }) => keys.includes(key))).min <= pixels;
  let shown = wanted.filter((key) => splitColumns.includes(key));
  for (const { key } of monitorColumns)
    if (wanted.includes(key) && !shown.includes(key) && fits([...shown, key])) shown = [...shown, key];
  return shown;
}

/** Another name than before the columns had other keys. */
export const columnsKey = 'rainbell monitor table columns';
