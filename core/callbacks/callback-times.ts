// The callbacks of each monitor over time, read over an index.
import type { DatabaseSync } from 'node:sqlite';
import type { CallbackSummary } from '@rainbell/contract/app-rpc';
import { formatInstant, parseTimestamp } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';
import type { CallbackPages } from '../receiver/records/callback-pages.ts';
import type { CallbackValidator } from './callback-validator.ts';

type Span = { from: string; to: string };
type HourMark = Pick<CallbackSummary, 'id' | 'receivedAt' | 'kind' | 'verdict'>;

const maxMarks = 2000;
/** Maximum rows to scan if no monitor is selected. */
const maxRows = 20_000;

export function createCallbackTimes(db: DatabaseSync, pages: CallbackPages, validator: CallbackValidator) {
  const ofOne = db.prepare(
    `SELECT id, received_at FROM callbacks WHERE monitor_id = ? ORDER BY id DESC LIMIT ${maxRows}`,
  );
  const ofAll = db.prepare(
    `SELECT id, received_at FROM callbacks WHERE monitor_id IS NOT NULL ORDER BY id DESC LIMIT ${maxRows}`,
  );

  /** Newest first. */
  function idsIn(from: number, to: number, monitorId: string | undefined): { ids: number[]; isCut: boolean } {
    const rows = monitorId === undefined ? ofAll.all() : ofOne.all(monitorId);
    const ids = rows
      .filter((row) => Number(row['received_at']) >= from && Number(row['received_at']) < to)
      .map((row) => Number(row['id']));
    const isWholeSpan = rows.length < maxRows || Number(rows.at(-1)?.['received_at']) < from;
    return { ids: ids.slice(0, maxMarks), isCut: ids.length > maxMarks || !isWholeSpan };
  }

  return {
    hours({ monitorId, ...span }: Span & { monitorId?: string | undefined }) {
      const { from, to } = read(span);
      const { ids, isCut } = idsIn(from, to, monitorId);
      const byMonitor = new Map<string, HourMark[]>();
      for (const id of ids.toReversed()) {
        const callback = pages.get(id);
        if (!callback || callback.monitorId === null) continue;
        const { kind, hour, isOther } = validator.validateById(id);
        if (isOther) continue;
        const marks = byMonitor.get(callback.monitorId) ?? [];
        marks.push({ id, receivedAt: formatInstant(callback.receivedAt), kind, verdict: hour });
        byMonitor.set(callback.monitorId, marks);
      }
      const monitors = [...byMonitor].map(([id, callbacks]) => ({ monitorId: id, callbacks }));
      return { monitors, isCut };
    },
  };
}

function read({ from, to }: Span): { from: number; to: number } {
  const start = parseTimestamp(from);
  const end = parseTimestamp(to);
  if (start !== undefined && end !== undefined && start < end) return { from: start, to: end };
  throw new AppFailure('INVALID_INPUT', 'The start must be before the end.', { field: 'to' });
}
