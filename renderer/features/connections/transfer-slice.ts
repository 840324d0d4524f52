// Exports connections to a file and imports them: which dialog is open, what the chosen file contains, and which task runs. The
// text of the file is only here while its dialog is open; a passphrase is never stored.
import type { ImportPreview } from '#contract/app-rpc/connections.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

export type ChosenFile = { name: string; text: string };

export type TransferSlice = TransferActions & {
  dialog: 'export' | 'import' | null;
  exporting: Request;
  file: ChosenFile | null;
  preview: ImportPreview | null;
  previewing: Request;
  importing: Request;
};

export type TransferActions = {
  openExport(): void;
  /** Reads what was chosen and shows what an import would do. */
  openImport(file: ChosenFile): Promise<void>;
  close(): void;
  /** Saves the file; `passphrase` null leaves the secrets behind. */
  export(ids: string[], passphrase: string | null): Promise<void>;
  unlock(passphrase: string): Promise<void>;
  /** Adds the entries at these places of the file. */
  import(indexes: number[], passphrase: string | null): Promise<void>;
};

export const closed = {
  dialog: null,
  file: null,
  preview: null,
  exporting: idle,
  previewing: idle,
  importing: idle,
} satisfies Partial<TransferSlice>;

const loadActions = laterModule(() => import('./transfer-actions.ts'));

export function createTransferSlice(tools: SliceTools<TransferSlice>, others: OtherSlices): Slice<TransferSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'a file contains connections, not data from their services' },
    ...closed,
    ...laterActions(
      { openExport: true, openImport: true, close: true, export: true, unlock: true, import: true },
      loadActions,
      ({ createTransferActions }) => createTransferActions(tools, others),
    ),
  };
}
