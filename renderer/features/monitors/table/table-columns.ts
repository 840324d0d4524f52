// The columns of the table of monitors.
import type { MonitorSort } from '#renderer/features/monitors/common/monitor-view.ts';

export const monitorColumns = [
  { key: 'location', name: 'Location', width: '146px', by: 'location' },
  { key: 'callback', name: 'Callback', width: 'minmax(150px, 1.6fr)', by: 'callback' },
  { key: 'last', name: 'Last event', width: 'minmax(150px, 1.2fr)', by: 'last' },
  { key: 'next', name: 'Next allowed', width: '96px', by: 'next' },
  { key: 'counts', name: 'Delivered', width: '96px', by: null },
  { key: 'tags', name: 'Tags', width: 'minmax(90px, 0.7fr)', by: null },
] as const satisfies readonly { key: string; name: string; width: string; by: MonitorSort['by'] | null }[];

const markWidth = '28px';
const nameWidth = 'minmax(150px, 1fr)';
const actionsWidth = '136px';
/** As in MonitorTable.module.css. */
const [gapPixels, paddingPixels] = [12, 32];

/** The grid of a row of the shown columns, and the width below which the table scrolls sideways. */
export function tableGrid(
  shown: readonly { width: string }[],
  hasActions: boolean,
): { template: string; least: number } {
  const widths = [markWidth, nameWidth, ...shown.map(({ width }) => width), ...(hasActions ? [actionsWidth] : [])];
  const least = widths.reduce((sum, width) => sum + Number(/\d+/.exec(width)?.[0] ?? 0), 0);
  return { template: widths.join(' '), least: least + gapPixels * (widths.length - 1) + paddingPixels };
}

export type MonitorColumn = (typeof monitorColumns)[number]['key'];

export const usualColumns: readonly MonitorColumn[] = ['location', 'callback', 'last', 'next'];
export const columnsKey = 'rainbell monitor columns';
