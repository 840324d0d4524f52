// Which columns the table of monitors shows, remembered in this window's own storage.
import type { MonitorSort } from './monitor-rows.ts';

export const monitorColumns = [
  { key: 'location', name: 'Location', width: '146px', by: 'location' },
  { key: 'callback', name: 'Callback', width: 'minmax(150px, 1.6fr)', by: 'callback' },
  { key: 'last', name: 'Last event', width: 'minmax(150px, 1.2fr)', by: 'last' },
  { key: 'next', name: 'Next allowed', width: '96px', by: 'next' },
  { key: 'counts', name: 'Delivered', width: '96px', by: null },
  { key: 'tags', name: 'Tags', width: 'minmax(90px, 0.7fr)', by: null },
] as const satisfies readonly { key: string; name: string; width: string; by: MonitorSort['by'] | null }[];

export type MonitorColumn = (typeof monitorColumns)[number]['key'];

const usual: readonly MonitorColumn[] = ['location', 'callback', 'last', 'next'];
const storageKey = 'rainbell monitor columns';

export function readColumns(): readonly MonitorColumn[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    return Array.isArray(kept) ? monitorColumns.map(({ key }) => key).filter((key) => kept.includes(key)) : usual;
  } catch {
    return usual;
  }
}

export function keepColumns(columns: readonly MonitorColumn[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(columns));
  } catch {
    // A full or forbidden storage costs the memory of the choice only.
  }
}
