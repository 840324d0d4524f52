// The columns of the callback list, after the time of arrival, which is always first.
import type { CallbackSummary } from '@rainbell/contract/app-rpc';

/** `width`: pixels, or a share of what is left above a minimum. `orders`: of the first and the second click on the head. */
export const listColumns = [
  { key: 'number', name: '#', width: 52, isNumber: true },
  { key: 'method', name: 'Method', width: 56 },
  { key: 'request', name: 'Path', width: { min: 70, share: 1 }, orders: ['path', 'newest'] },
  { key: 'monitor', name: 'Sender', width: { min: 70, share: 1 }, orders: ['monitor', 'newest'] },
  { key: 'sender', name: 'From', width: { min: 84, share: 0.7 } },
  { key: 'verdict', name: 'Verdict', width: 112, orders: ['verdict', 'newest'] },
  { key: 'answer', name: 'Status', width: 56, isNumber: true, orders: ['answer', 'newest'] },
  { key: 'took', name: 'Duration', width: 60, isNumber: true, orders: ['slowest', 'fastest'] },
  { key: 'size', name: 'Size', width: 54, isNumber: true, orders: ['largest', 'smallest'] },
] as const;

export type ListColumn = (typeof listColumns)[number]['key'];

export const defaultColumns: readonly ListColumn[] = listColumns
  .map(({ key }) => key)
  .filter((key) => key !== 'sender');
export const columnsKey = 'rainbell callback columns 2';

/** The order in which columns are hidden if there is no room. The other columns always stay. */
const dropOrder: readonly ListColumn[] = ['took', 'size', 'method', 'number', 'sender'];

const gap = 8;
/** The time, by the clock; with AM and PM it is longer. */
const timePixels = { h23: 92, h12: 118 } as const;
/** Path and monitor are readable from here on. */
const readable = 120;

export function fitColumns(
  chosen: readonly ListColumn[],
  pixels: number,
  cycle: keyof typeof timePixels,
): readonly ListColumn[] {
  // The checkbox, the time, and the padding of both sides.
  const room = pixels - (16 + gap + timePixels[cycle] + 24);
  let columns = chosen;
  for (const dropped of dropOrder) {
    if (neededPixels(columns) <= room) break;
    columns = columns.filter((key) => key !== dropped);
  }
  return columns;
}

function neededPixels(columns: readonly ListColumn[]): number {
  return columns.reduce((sum, key) => {
    const { width } = listColumns.find((one) => one.key === key) ?? { width: 0 };
    return sum + gap + (typeof width === 'number' ? width : readable);
  }, 0);
}

export function gridColumns(shown: readonly ListColumn[], cycle: keyof typeof timePixels): string {
  const widths = listColumns
    .filter(({ key }) => shown.includes(key))
    .map(({ width }) => (typeof width === 'number' ? `${width}px` : `minmax(${width.min}px, ${width.share}fr)`));
  return ['16px', `${timePixels[cycle]}px`, ...widths].join(' ');
}

/**
 * Formats the cell “Sender”: a monitor's name in this app if it has one, otherwise its ID, marked as a claim if it is not proven; of any
 * other request, the sender. With the event's type, if it has one.
 */
export function formatMonitor(
  {
    monitorId,
    isMonitorOwn,
    sender,
    eventType,
  }: Pick<CallbackSummary, 'monitorId' | 'isMonitorOwn' | 'sender' | 'eventType'>,
  names: ReadonlyMap<string, string>,
): string {
  if (monitorId === null)
    return sender === undefined ? '—' : eventType === undefined ? sender : `${sender} · ${eventType}`;
  const name = isMonitorOwn ? (names.get(monitorId) ?? monitorId) : `${monitorId} (claimed)`;
  return eventType === undefined ? name : `${eventType.replace('precipitation.', '')} · ${name}`;
}
