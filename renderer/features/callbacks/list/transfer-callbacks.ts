// A file of callbacks, read from core page by page or written to it piece by piece.
import {
  type AppClient,
  type CallbackChoice,
  type ExportFormat,
  type ImportFormat,
  importPieceLength,
  type ImportState,
} from '@rainbell/contract/app-rpc';
import { notUnicode, readText } from '@rainbell/shared';

const types: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  har: 'application/json',
};

type Export = {
  format: ExportFormat;
  choice: CallbackChoice;
  signal: AbortSignal;
  /** How many callbacks are in the file after a page. */
  onPage: (exported: number) => void;
};

/** Reads all pages of an export, until the signal aborts. */
export async function readAll(client: AppClient, { format, choice, signal, onPage }: Export): Promise<Blob> {
  const pages: string[] = [];
  let cursor: string | null = null;
  let exported = 0;
  do {
    // Each page names the next.
    const page: Awaited<ReturnType<typeof client.callbacks.exportPage>> = await client.callbacks.exportPage(
      { format, choice, cursor },
      { signal },
    );
    signal.throwIfAborted();
    pages.push(page.text);
    exported += page.count;
    onPage(exported);
    cursor = page.next;
  } while (cursor !== null);
  return new Blob(pages, { type: types[format] });
}

type Import = {
  file: File;
  format: ImportFormat;
  signal: AbortSignal;
  /** What was imported so far. */
  onPiece: (state: ImportState) => void;
};

/** Imports a file piece by piece, until the signal aborts: a piece that was sent is written. */
export async function writeAll(client: AppClient, { file, format, signal, onPiece }: Import): Promise<ImportState> {
  const { text, isAnsi } = readText(new Uint8Array(await file.arrayBuffer()));
  if (isAnsi) throw new Error(`${file.name} ${notUnicode}`);
  let state: ImportState | undefined;
  let at = 0;
  do {
    signal.throwIfAborted();
    const end = pieceEnd(text, at);
    // Pieces are taken in their order.
    state = await client.callbacks.importPiece({
      importId: state?.importId ?? null,
      format,
      piece: text.slice(at, end),
      isLast: end === text.length,
    });
    onPiece(state);
    at = end;
  } while (at < text.length);
  return state;
}

/** A piece never ends between the two halves of a character. */
function pieceEnd(text: string, from: number): number {
  const end = Math.min(text.length, from + importPieceLength);
  const isSplit = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isSplit ? end - 1 : end;
}
