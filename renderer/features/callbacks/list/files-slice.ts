// Callbacks into a file and back: read page by page and written piece by piece, with what happened said on the way.
import { type ExportFormat, importFormats, type ImportFormat } from '#contract/app-rpc/callback-formats.ts';
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

/** Not part of the first screen. */
const loadTransfer = () => import('./transfer-callbacks.ts');

export function createCallbackFilesSlice(
  { client, change }: SliceTools<CallbackFilesSlice>,
  { show }: OtherSlices,
): Slice<CallbackFilesSlice> {
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
        async () => (await loadTransfer()).readAll(client, format, choice, (exported) => change({ exported })),
      );
      if (!file) return;
      saveFile(`callbacks.${format}`, file.type, new Uint8Array(await file.arrayBuffer()));
      show({ tone: 'good', message: `The callbacks are saved as callbacks.${format}.` });
    },
    async importFrom(file) {
      change({ outcome: null });
      await runRequest(
        (importing) => change({ importing }),
        async () => {
          const format = formatOf(file.name);
          if (!format) throw new Error(`${file.name} is none of ${importFormats.join(', ')}. Choose another file.`);
          const { writeAll } = await loadTransfer();
          return writeAll(client, file, format, (outcome) => change({ outcome }));
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

/** By the name's end; `.jsonl` is another name of NDJSON. */
export function formatOf(name: string): ImportFormat | undefined {
  const end = name.split('.').at(-1)?.toLowerCase();
  return end === 'jsonl' ? 'ndjson' : importFormats.find((format) => format === end);
}
