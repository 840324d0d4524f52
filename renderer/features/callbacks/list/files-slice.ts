// Callbacks into a file and back: read page by page and written piece by piece, with what happened said on the way.
import {
  type AppClient,
  type CallbackChoice,
  type CallbackProof,
  type ExportFormat,
  type ImportFormat,
  importFormats,
  importPieceLength,
  type ImportState,
} from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { saveFile } from '../../../ui/hooks/save-file.ts';
import { notUnicode, readText } from '@rainbell/shared';

export interface CallbackFilesSlice extends ReturnType<typeof createCallbackFilesSlice> {}

export function createCallbackFilesSlice(
  { client, read, change, run, runCancelable }: SliceTools<CallbackFilesSlice>,
  { show }: OtherSlices,
) {
  /** Stops between two pieces if the signal aborts. A piece that was sent is imported. */
  async function importPieces(file: File, signal: AbortSignal): Promise<void> {
    const format = formatOf(file.name);
    if (!format)
      throw new Error(`${file.name} is not a supported file type. Choose one of these: ${importFormats.join(', ')}.`);
    const { text, isAnsi } = readText(new Uint8Array(await file.arrayBuffer()));
    if (isAnsi) throw new Error(`${file.name} ${notUnicode}`);
    let importId: string | null = null;
    let at = 0;
    do {
      signal.throwIfAborted();
      const end = pieceEnd(text, at);
      const piece = text.slice(at, end);
      const outcome: ImportState = await client.callbacks.importPiece({
        importId,
        format,
        piece,
        isLast: end === text.length,
      });
      change({ outcome });
      importId = outcome.importId;
      at = end;
    } while (at < text.length);
  }
  return {
    onConnectionChange: { does: 'keep', because: 'callbacks are exported and imported by the receiver' } as const,
    exporting: idle,
    exported: 0,
    importing: idle,
    /** What was taken and refused so far; null before the first piece was read. */
    outcome: null as ImportState | null,
    /** The selected callback as an HTML file, before it is saved. */
    proof: null as CallbackProof | null,
    proving: idle,
    async exportTo(format: ExportFormat, choice: CallbackChoice): Promise<void> {
      change({ exported: 0 });
      const file = await runCancelable(
        'exporting',
        async (signal) => {
          const pages: string[] = [];
          let cursor: string | null = null;
          do {
            const page: ExportPage = await client.callbacks.exportPage({ format, choice, cursor }, { signal });
            signal.throwIfAborted();
            pages.push(page.text);
            change({ exported: read().exported + page.count });
            cursor = page.next;
          } while (cursor !== null);
          return new Blob(pages, { type: types[format] });
        },
        { canceledText: 'No file was saved.' },
      );
      if (!file) return;
      saveFile(`callbacks.${format}`, file.type, new Uint8Array(await file.arrayBuffer()));
      show({ tone: 'good', message: `Callbacks saved as callbacks.${format}` });
    },
    async importFrom(file: File): Promise<void> {
      change({ outcome: null });
      await runCancelable('importing', (signal) => importPieces(file, signal), {
        canceledText: 'Callbacks imported so far are kept. Importing the file again starts over.',
      });
    },
    prepareProof(id: number): Promise<void> {
      change({ proof: null });
      return run('proving', async () => change({ proof: await client.callbacks.proof({ id }) }));
    },
    saveProof(): void {
      const { proof } = read();
      if (!proof) return;
      saveFile(proof.fileName, 'text/html', proof.html);
      show({ tone: 'good', message: `Callback saved as ${proof.fileName}` });
    },
    resetImport: (): void => change({ importing: idle, outcome: null }),
  };
}

/** By the name's end; `.jsonl` is another name of NDJSON. */
export function formatOf(name: string): ImportFormat | undefined {
  const end = name.split('.').at(-1)?.toLowerCase();
  return end === 'jsonl' ? 'ndjson' : importFormats.find((format) => format === end);
}

type ExportPage = Awaited<ReturnType<AppClient['callbacks']['exportPage']>>;

const types: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  har: 'application/json',
};

/** A piece never ends between the two halves of a character. */
function pieceEnd(text: string, from: number): number {
  const end = Math.min(text.length, from + importPieceLength);
  const isSplit = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isSplit ? end - 1 : end;
}
