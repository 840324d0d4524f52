// Callbacks into a file and back: read page by page and written piece by piece, with what happened said on the way.
import {
  type CallbackChoice,
  type CallbackProof,
  type ExportFormat,
  type ImportFormat,
  importFormats,
  type ImportState,
} from '@rainbell/contract/app-rpc';
import { idle } from '../../../store/request.ts';
import type { OtherSlices } from '../../../store/app-state.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { saveFile } from '../../../ui/hooks/save-file.ts';
import { readAll, writeAll } from './transfer-callbacks.ts';

export interface CallbackFilesSlice extends ReturnType<typeof createCallbackFilesSlice> {}

export function createCallbackFilesSlice(
  { client, read, change, run, runCancelable }: SliceTools<CallbackFilesSlice>,
  { show }: OtherSlices,
) {
  return {
    onConnectionChange: { does: 'keep', because: 'callbacks are exported and imported by the receiver' } as const,
    exporting: idle,
    /** How many callbacks are in the file so far. */
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
        (signal) => readAll(client, { format, choice, signal, onPage: (exported) => change({ exported }) }),
        { canceledText: 'No file was saved.' },
      );
      if (!file) return;
      saveFile(`callbacks.${format}`, file.type, new Uint8Array(await file.arrayBuffer()));
      show({ tone: 'good', message: `Callbacks saved as callbacks.${format}` });
    },
    async importFrom(file: File): Promise<void> {
      change({ outcome: null });
      await runCancelable(
        'importing',
        async (signal) => {
          const format = formatOf(file.name);
          if (!format)
            throw new Error(
              `${file.name} is not a supported file type. Choose one of these: ${importFormats.join(', ')}.`,
            );
          return writeAll(client, { file, format, signal, onPiece: (outcome) => change({ outcome }) });
        },
        { canceledText: 'Callbacks imported so far are kept. Importing the file again starts over.' },
      );
    },
    async prepareProof(id: number): Promise<void> {
      change({ proof: null });
      const proof = await run('proving', () => client.callbacks.proof({ id }));
      if (proof) change({ proof });
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
