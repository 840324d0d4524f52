// Writes callbacks as a file, a bounded page per call, oldest first. The pages joined together are the file.
import type { CallbackChoice, ExportFormat } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { csvHead, toCsvRow, toHarEntry, toRecord } from './callback-records.ts';
import type { CallbackSearch } from './callback-search.ts';

const pageRows = 200;

type CallbackExportDependencies = {
  search: Pick<CallbackSearch, 'scan'>;
  version: string;
  /** Of the receiver, for callbacks without a Host header. */
  baseUrl: string | null;
};

/** Throws AppFailure INVALID_INPUT for a query with an invalid term, and for an unknown cursor. */
export function exportPage(
  { search, version, baseUrl }: CallbackExportDependencies,
  { format, choice, cursor }: { format: ExportFormat; choice: CallbackChoice; cursor: string | null },
) {
  const { afterId, isBegun: wasBegun } = readCursor(cursor);
  const { found: rows, lastId } = search.scan(choice, afterId, pageRows);
  const { head, between, tail, entry } = forms(version, baseUrl)[format];
  const isBegun = wasBegun || rows.length > 0;
  const parts = [
    cursor === null ? head : '',
    wasBegun && rows.length > 0 ? between : '',
    rows.map(entry).join(between),
    lastId === undefined ? tail : '',
  ];
  const next = lastId === undefined ? null : `${lastId} ${isBegun ? 'begun' : 'empty'}`;
  return { text: parts.join(''), count: rows.length, next };
}

/** Where to go on, and whether anything was written. */
function readCursor(text: string | null): { afterId: number; isBegun: boolean } {
  if (text === null) return { afterId: 0, isBegun: false };
  const [, id, state] = /^(\d{1,16}) (empty|begun)$/.exec(text) ?? [];
  if (id !== undefined) return { afterId: Number(id), isBegun: state === 'begun' };
  throw new AppFailure('INVALID_INPUT', 'The cursor must be the “next” value from the previous page.', {
    field: 'cursor',
  });
}

type Form = { head: string; between: string; tail: string; entry: (callback: StoredCallback) => string };

function forms(version: string, baseUrl: string | null): Readonly<Record<ExportFormat, Form>> {
  const creator = JSON.stringify({ name: 'Rainbell', version });
  return {
    json: { head: '[\n', between: ',\n', tail: '\n]\n', entry: (callback) => JSON.stringify(toRecord(callback)) },
    ndjson: { head: '', between: '', tail: '', entry: (callback) => `${JSON.stringify(toRecord(callback))}\n` },
    csv: { head: csvHead, between: '', tail: '', entry: toCsvRow },
    har: {
      head: `{"log":{"version":"1.2","creator":${creator},"entries":[\n`,
      between: ',\n',
      tail: '\n]}}\n',
      entry: (callback) => JSON.stringify(toHarEntry(callback, baseUrl ?? 'http://127.0.0.1')),
    },
  };
}
