// Reads callbacks back from a file that the screen hands over piece by piece. NDJSON is stored line by line; JSON, HAR, and
// HTML (one callback as a page) are one document and are read when they are whole. An entry that does not fit is named and left out.
import { randomUUID } from 'node:crypto';
import { pick, valueAt } from '@rainbell/shared';
import type { ImportFormat, ImportState } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import type { ReceivedCallback } from '../receiver/requests/received-callback.ts';
import { fromHarEntry, fromRecord, importFailure } from './callback-records.ts';
import { readProof } from './callback-proof.ts';

const maxDocumentLength = 128 * 1024 * 1024;
const maxProblems = 100;
const batchRows = 200;
const batchBytes = 4 * 1024 * 1024;
/** Maximum number of open imports; starting another closes the oldest. */
const openImports = 4;

type OpenImport = ImportState & { format: ImportFormat; rest: string; lines: number };

type Piece = { importId: string | null; format: ImportFormat; piece: string; isLast: boolean };

export function createCallbackImport(store: (rows: readonly ReceivedCallback[]) => Promise<void>) {
  const open = new Map<string, OpenImport>();

  function start(format: ImportFormat): OpenImport {
    const [oldest] = open.keys();
    if (open.size >= openImports && oldest !== undefined) open.delete(oldest);
    const started = { importId: randomUUID(), format, rest: '', lines: 0, imported: 0, refused: 0, problems: [] };
    open.set(started.importId, started);
    return started;
  }

  async function storeEntries(entries: Iterable<Entry>, into: OpenImport): Promise<void> {
    let batch: ReceivedCallback[] = [];
    let bytes = 0;
    const flush = async () => {
      if (batch.length > 0) await store(batch);
      into.imported += batch.length;
      batch = [];
      bytes = 0;
    };
    for (const { line, read } of entries) {
      try {
        const row = read();
        batch.push(row);
        bytes += row.body.length;
      } catch (error) {
        into.refused += 1;
        if (into.problems.length < maxProblems) into.problems.push({ line, message: problemText(error) });
      }
      if (batch.length >= batchRows || bytes >= batchBytes) await flush();
    }
    await flush();
  }

  /** Throws AppFailure INVALID_INPUT if this is not such a file, NOT_FOUND for an import that is not open. */
  return async ({ importId, format, piece, isLast }: Piece): Promise<ImportState> => {
    const current = importId === null ? start(format) : open.get(importId);
    if (!current) throw new AppFailure('NOT_FOUND', 'This import has ended. Start it again.', { field: 'importId' });
    current.rest += importId === null ? piece.replace(/^\uFEFF/, '') : piece;
    if (current.rest.length > maxDocumentLength) {
      open.delete(current.importId);
      throw importFailure('The file is too large to be read as one document. Use NDJSON.');
    }
    if (isLast) open.delete(current.importId);
    if (current.format === 'ndjson') await storeEntries(takeLines(current, isLast), current);
    else if (isLast) await storeEntries(documentEntries(current.rest, current.format), current);
    return pick(current, 'importId', 'imported', 'problems', 'refused');
  };
}

type Entry = { line: number; read: () => ReceivedCallback };

/** Whole lines only, unless it is the end. */
function* takeLines(current: OpenImport, isLast: boolean): Generator<Entry> {
  const lines = current.rest.split('\n');
  current.rest = isLast ? '' : (lines.pop() ?? '');
  for (const text of lines) {
    current.lines += 1;
    if (text.trim() !== '') yield { line: current.lines, read: () => fromRecord(JSON.parse(text)) };
  }
}

/** The path of a document's entries, and what reads one. */
const documents = {
  json: { path: [], read: fromRecord, name: 'a list of callbacks' },
  har: { path: ['log', 'entries'], read: fromHarEntry, name: 'a HAR file with log.entries' },
};

function documentEntries(text: string, format: 'json' | 'har' | 'html'): Entry[] {
  if (format === 'html') return [{ line: 1, read: () => readProof(text) }];
  const { path, read, name } = documents[format];
  const entries = valueAt(parse(text), path);
  if (!Array.isArray(entries)) throw importFailure(`The file is JSON, but not ${name}.`);
  return entries.map((entry: unknown, index) => ({ line: index + 1, read: () => read(entry) }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw importFailure(`The file is not JSON (${error instanceof Error ? error.message : 'unknown error'}).`, error);
  }
}

function problemText(error: unknown): string {
  if (error instanceof AppFailure) return error.message;
  return error instanceof SyntaxError ? `It is not JSON (${error.message}).` : 'It cannot be read.';
}
