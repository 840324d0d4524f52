// Writes callbacks as a file, a bounded page per call, oldest first. The pages joined together are the file.
import type { CallbackChoice, ExportFormat } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { csvHead, toCsvRow, toHarEntry, toRecord } from './callback-records.ts';
import type { CallbackSearch } from './callback-search.ts';

export type ExportPage = { text: string; count: number; next: string | null };

const pageRows = 200;

type CallbackExportDependencies = {
  search: Pick<CallbackSearch, 'scan'>;
  version: string;
  /** Of the receiver, for callbacks without a Host header. */
  baseUrl: string | null;
};

/** Where to go on; `isEmpty` until something was written. */
type Cursor = { afterId: number; isEmpty: boolean };

type Wanted = { format: ExportFormat; choice: CallbackChoice; cursor: string | null };

/** Throws AppFailure INVALID_INPUT for a query with an invalid term, and for an unknown cursor. */
export function exportPage(
  dependencies: CallbackExportDependencies,
  { format, choice, cursor: text }: Wanted,
): ExportPage {
  const cursor = readCursor(text);
  const { found: rows, lastId } = dependencies.search.scan(choice, cursor.afterId, pageRows);
  const form = forms(dependencies)[format];
  const isEmpty = cursor.isEmpty && rows.length === 0;
  const between = cursor.isEmpty ? '' : form.between;
  const body = rows.map(form.entry).join(form.between);
  const start = text === null ? form.head : '';
  const end = lastId === undefined ? form.tail : '';
  return {
    text: start + (rows.length > 0 ? between + body : '') + end,
    count: rows.length,
    next: lastId === undefined ? null : `${lastId} ${isEmpty ? 'empty' : 'begun'}`,
  };
}

function readCursor(text: string | null): Cursor {
  if (text === null) return { afterId: 0, isEmpty: true };
  const [, id, state] = /^(\d{1,16}) (empty|begun)$/.exec(text) ?? [];
  if (id !== undefined) return { afterId: Number(id), isEmpty: state === 'empty' };
  throw new AppFailure('INVALID_INPUT', 'The cursor must be the “next” value from the previous page.', {
    field: 'cursor',
  });
}

type Form = { head: string; between: string; tail: string; entry: (callback: StoredCallback) => string };

function forms({ version, baseUrl }: CallbackExportDependencies): Readonly<Record<ExportFormat, Form>> {
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
