// Which exchanges a list shows, on disk or still waiting for it.
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

type Listed = Pick<NumberedRecord, 'id' | 'kind' | 'connectionId' | 'url' | 'status' | 'isBackground'>;

export function passes(record: Listed & { problem: unknown }, filter: TrafficFilter): boolean {
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
