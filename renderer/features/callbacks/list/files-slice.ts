// Callbacks into a file and back: read page by page and written piece by piece, with what happened said on the way.
import {
  type ExportFormat,
  importFormats,
  type ImportFormat,
  importPieceLength,
} from '#contract/app-rpc/callback-formats.ts';
import type { CallbackChoice, ImportState } from '#contract/app-rpc/callback-files.ts';
import { idle, type Request, runRequest, toFailure } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { saveFile } from '#renderer/ui/hooks/save-file.ts';

export type CallbackFilesSlice = {
  exporting: Request;
  /** How many callbacks are in the file so far. */
  exported: number;
  importing: Request;
  /** What was taken and refused so far; null before the first piece was read. */
  outcome: ImportState | null;
  exportTo(format: ExportFormat, choice: CallbackChoice): Promise<void>;
  importFrom(file: File): Promise<void>;
  forgetImport(): void;
  /** Starts the system's drag of a file; the mouse button must be down. */
  dragOut(id: number): Promise<void>;
};

const types: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  har: 'application/json',
};

export function createCallbackFilesSlice(
  { client, change }: SliceTools<CallbackFilesSlice>,
  { show }: OtherSlices,
): Slice<CallbackFilesSlice> {
  async function readAll(format: ExportFormat, choice: CallbackChoice): Promise<Blob> {
    const pages: string[] = [];
    let cursor: string | null = null;
    let exported = 0;
    do {
      // Each page names the next.
      // oxlint-disable-next-line no-await-in-loop
      const page: Awaited<ReturnType<typeof client.callbacks.exportPage>> = await client.callbacks.exportPage({
        format,
        choice,
        cursor,
      });
      pages.push(page.text);
      exported += page.count;
      change({ exported });
      cursor = page.next;
    } while (cursor !== null);
    return new Blob(pages, { type: types[format] });
  }

  async function writeAll(file: File, format: ImportFormat): Promise<ImportState> {
    const text = await file.text();
    let state: ImportState | undefined;
    let at = 0;
    do {
      const end = pieceEnd(text, at);
      // Pieces are taken in their order.
      // oxlint-disable-next-line no-await-in-loop
      state = await client.callbacks.importPiece({
        importId: state?.importId ?? null,
        format,
        piece: text.slice(at, end),
        isLast: end === text.length,
      });
      change({ outcome: state });
      at = end;
    } while (at < text.length);
    return state;
  }

  return {
    onConnectionChange: { does: 'keep', because: 'callbacks are exported and imported by the receiver' },
    exporting: idle,
    exported: 0,
    importing: idle,
    outcome: null,
    async exportTo(format, choice) {
      change({ exported: 0 });
      const file = await runRequest(
        (exporting) => change({ exporting }),
        () => readAll(format, choice),
      );
      if (!file) return;
      saveFile(`callbacks.${format}`, types[format], new Uint8Array(await file.arrayBuffer()));
      show({ tone: 'good', message: `The callbacks are saved as callbacks.${format}.` });
    },
    async importFrom(file) {
      change({ outcome: null });
      await runRequest(
        (importing) => change({ importing }),
        () => {
          const format = formatOf(file.name);
          if (!format) throw new Error(`${file.name} is none of ${importFormats.join(', ')}. Choose another file.`);
          return writeAll(file, format);
        },
      );
    },
    async dragOut(id) {
      try {
        await client.callbacks.dragOut({ id });
      } catch (error) {
        show({ tone: 'bad', message: `Couldn't drag callback ${id} out: ${toFailure(error).message}` });
      }
    },
    forgetImport: () => change({ importing: idle, outcome: null }),
  };
}

/** A piece never ends between the two halves of a character. */
function pieceEnd(text: string, from: number): number {
  const end = Math.min(text.length, from + importPieceLength);
  const isSplit = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isSplit ? end - 1 : end;
}

/** By the name's end; `.jsonl` is another name of NDJSON. */
export function formatOf(name: string): ImportFormat | undefined {
  const end = name.split('.').at(-1)?.toLowerCase();
  return end === 'jsonl' ? 'ndjson' : importFormats.find((format) => format === end);
}
