// Which exchanges a list shows, as SQL for those on disk and as a check for those that wait for it. Both say the same.
import type { SQLInputValue } from 'node:sqlite';
import type { TrafficRecord } from './traffic-record.ts';

export type TrafficFilter = {
  beforeId?: number | undefined;
  limit: number;
  kind?: 'api' | 'token' | undefined;
  connectionId?: string | undefined;
  text?: string | undefined;
  failedOnly: boolean;
  includesBackground: boolean;
};

export type NumberedRecord = TrafficRecord & { id: number };

export function conditions(filter: TrafficFilter): { where: string; values: SQLInputValue[] } {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (sql: string, ...given: SQLInputValue[]) => {
    parts.push(sql);
    values.push(...given);
  };
  if (filter.beforeId !== undefined) add('id < ?', filter.beforeId);
  if (filter.kind !== undefined) add('kind = ?', filter.kind);
  if (filter.connectionId !== undefined) add('connection_id = ?', filter.connectionId);
  for (const { word, isExcluded } of termsOf(filter)) {
    add(isExcluded ? 'instr(lower(url), ?) = 0' : 'instr(lower(url), ?) > 0', word);
  }
  const failed = '(status IS NULL OR status >= 400 OR problem IS NOT NULL)';
  if (filter.failedOnly) add(failed);
  if (!filter.includesBackground) add(`(is_background = 0 OR ${failed})`);
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}

export function passes(record: NumberedRecord, filter: TrafficFilter): boolean {
  const { beforeId, kind, connectionId, failedOnly, includesBackground } = filter;
  const url = record.url.toLowerCase();
  const hasFailed = record.status === null || record.status >= 400 || record.problem !== null;
  return (
    (beforeId === undefined || record.id < beforeId) &&
    (kind === undefined || record.kind === kind) &&
    (connectionId === undefined || record.connectionId === connectionId) &&
    termsOf(filter).every(({ word, isExcluded }) => url.includes(word) !== isExcluded) &&
    (!failedOnly || hasFailed) &&
    (includesBackground || !record.isBackground || hasFailed)
  );
}

function termsOf({ text = '' }: TrafficFilter): { word: string; isExcluded: boolean }[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .map((term) =>
      term.startsWith('-') ? { word: term.slice(1), isExcluded: true } : { word: term, isExcluded: false },
    )
    .filter(({ word }) => word !== '');
}
