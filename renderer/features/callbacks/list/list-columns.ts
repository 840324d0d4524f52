// The columns of the callback list, after the time of arrival, which always stands first.
import type { CallbackSummary } from '#contract/app-rpc/callbacks.ts';

export const listColumns = [
  { key: 'monitor', name: 'Monitor', width: 'minmax(80px, 0.5fr)', isNumber: false },
  { key: 'request', name: 'Request', width: 'minmax(60px, 1.3fr)', isNumber: false },
  { key: 'sender', name: 'Sender', width: 'minmax(84px, 0.7fr)', isNumber: false },
  { key: 'check', name: 'Check', width: '70px', isNumber: false },
  { key: 'size', name: 'Size', width: '52px', isNumber: true },
  { key: 'answer', name: 'Answer', width: '46px', isNumber: true },
] as const;

export type ListColumn = (typeof listColumns)[number]['key'];

export const usualColumns: readonly ListColumn[] = ['monitor', 'request', 'check', 'size', 'answer'];
export const columnsKey = 'rainbell callback columns';

/** For the style of the head and of every row. */
export function gridColumns(shown: readonly ListColumn[]): string {
  const widths = listColumns.filter(({ key }) => shown.includes(key)).map(({ width }) => width);
  return ['16px', 'minmax(88px, 104px)', ...widths].join(' ');
}

/** What stands under “Monitor”: its name here where it has one, else its id. */
export function formatMonitor(
  { monitorId, refusal }: Pick<CallbackSummary, 'monitorId' | 'refusal'>,
  names: ReadonlyMap<string, string>,
): string {
  if (refusal) return '—';
  return monitorId === null ? '— unmatched' : (names.get(monitorId) ?? monitorId);
}
