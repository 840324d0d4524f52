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
  if (filter.text) add('instr(lower(url), ?) > 0', filter.text.toLowerCase());
  if (filter.failedOnly) add('(status IS NULL OR status >= 400 OR problem IS NOT NULL)');
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}

export function passes(record: NumberedRecord, filter: TrafficFilter): boolean {
  const { beforeId, kind, connectionId, text, failedOnly } = filter;
  return (
    (beforeId === undefined || record.id < beforeId) &&
    (kind === undefined || record.kind === kind) &&
    (connectionId === undefined || record.connectionId === connectionId) &&
    (!text || record.url.toLowerCase().includes(text.toLowerCase())) &&
    (!failedOnly || record.status === null || record.status >= 400 || record.problem !== null)
  );
}
