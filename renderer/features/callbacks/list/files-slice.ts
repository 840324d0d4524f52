// Callbacks into a file and back: read page by page and written piece by piece, with what happened said on the way.
import type { ExportFormat } from '#contract/app-rpc/callback-formats.ts';
import type { CallbackChoice, CallbackProof, ImportState } from '#contract/app-rpc/callback-files.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

export type CallbackFilesSlice = CallbackFilesActions & {
  exporting: Request;
  /** How many callbacks are in the file so far. */
  exported: number;
  importing: Request;
  /** What was taken and refused so far; null before the first piece was read. */
  outcome: ImportState | null;
  /** The selected callback as an HTML file, before it is saved. */
  proof: CallbackProof | null;
  proving: Request;
};

export type CallbackFilesActions = {
  exportTo(format: ExportFormat, choice: CallbackChoice): Promise<void>;
  importFrom(file: File): Promise<void>;
  resetImport(): void;
  prepareProof(id: number, includesNote: boolean): Promise<void>;
  saveProof(): void;
  /** Starts the system's drag of a file; the mouse button must be down. */
  dragOut(id: number): Promise<void>;
};

const loadActions = laterModule(() => import('./files-actions.ts'));

export function createCallbackFilesSlice(
  tools: SliceTools<CallbackFilesSlice>,
  others: OtherSlices,
): Slice<CallbackFilesSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'callbacks are exported and imported by the receiver' },
    exporting: idle,
    exported: 0,
    importing: idle,
    outcome: null,
    proof: null,
    proving: idle,
    ...laterActions(
      { exportTo: true, importFrom: true, resetImport: true, dragOut: true, prepareProof: true, saveProof: true },
      loadActions,
      ({ createCallbackFilesActions }) => createCallbackFilesActions(tools, others),
    ),
  };
}
