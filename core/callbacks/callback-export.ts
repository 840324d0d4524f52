// Writes callbacks as a file, a bounded page per call, oldest first. The pages joined together are the file.
import type { CallbackChoice, ExportFormat } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { CallbackPages } from '../receiver/records/callback-pages.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { csvHead, toCsvRow, toHarEntry, toRecord } from './callback-records.ts';
import { requireQuery, type CallbackSearch } from './callback-search.ts';

export type ExportPage = { text: string; count: number; next: string | null };

const pageRows = 200;
/** Bytes of bodies after which a page ends; the callback that exceeds it is still included. */
const pageBytes = 2 * 1024 * 1024;

type CallbackExportDependencies = {
  pages: CallbackPages;
  search: CallbackSearch;
  version: string;
  baseUrl: () => string | null;
};

/** Where to go on: after the id, or with the n-th of the chosen ids; `isEmpty` until something was written. */
type Cursor = { position: number; isEmpty: boolean };

type Wanted = { format: ExportFormat; choice: CallbackChoice; cursor: string | null };

export function createCallbackExport(dependencies: CallbackExportDependencies) {
  return {
    /** Throws AppFailure INVALID_INPUT for a query with an invalid term, and for an unknown cursor. */
    page({ format, choice, cursor: text }: Wanted): ExportPage {
      const cursor = readCursor(text);
      const { rows, next } =
        choice.kind === 'ids' ? chosenRows(choice.ids, cursor, dependencies) : foundRows(choice, cursor, dependencies);
      const form = forms(dependencies)[format];
      const isEmpty = cursor.isEmpty && rows.length === 0;
      const between = cursor.isEmpty ? '' : form.between;
      const body = rows.map(form.entry).join(form.between);
      const start = text === null ? form.head : '';
      const end = next === undefined ? form.tail : '';
      return {
        text: start + (rows.length > 0 ? between + body : '') + end,
        count: rows.length,
        next: next === undefined ? null : `${next} ${isEmpty ? 'empty' : 'begun'}`,
      };
    },
  };
}

function readCursor(text: string | null): Cursor {
  if (text === null) return { position: 0, isEmpty: true };
  const [, position, state] = /^(\d{1,16}) (empty|begun)$/.exec(text) ?? [];
  if (position !== undefined) return { position: Number(position), isEmpty: state === 'empty' };
  throw new AppFailure('INVALID_INPUT', 'The cursor must be the “next” value from the previous page.', {
    field: 'cursor',
  });
}

type Rows = { rows: StoredCallback[]; next: number | undefined };

function chosenRows(ids: readonly number[], { position }: Cursor, { pages }: CallbackExportDependencies): Rows {
  const sorted = ids.toSorted((one, other) => one - other);
  const rows: StoredCallback[] = [];
  let bytes = 0;
  let index = position;
  for (; index < sorted.length && rows.length < pageRows && bytes < pageBytes; index += 1) {
    const row = pages.get(sorted[index] ?? 0);
    if (!row) continue;
    rows.push(row);
    bytes += row.body.length;
  }
  return { rows, next: index < sorted.length ? index : undefined };
}

function foundRows(
  choice: Extract<CallbackChoice, { kind: 'query' }>,
  { position }: Cursor,
  { search }: CallbackExportDependencies,
): Rows {
  const query = requireQuery(choice);
  const range = { afterId: position, beforeId: choice.throughId + 1 };
  const { found, lastId } = search.scan(query, { ...range, limit: pageRows, order: 'oldestFirst' });
  return { rows: found, next: lastId };
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
      entry: (callback) => JSON.stringify(toHarEntry(callback, baseUrl() ?? 'http://127.0.0.1')),
    },
  };
}
