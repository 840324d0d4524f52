// Connections to and from a file: which dialog stands open, what was found in the chosen file, and what was asked. The text
// of the file stays here while its dialog is open; a passphrase passes through and stays nowhere.
import type { ImportPreview } from '#contract/app-rpc/connections.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { formatCount } from '#renderer/ui/text/format-count.ts';
import { saveFile } from '#renderer/ui/hooks/save-file.ts';

export type ChosenFile = { name: string; text: string };

export type TransferSlice = {
  dialog: 'export' | 'import' | null;
  exporting: Request;
  file: ChosenFile | null;
  preview: ImportPreview | null;
  previewing: Request;
  importing: Request;
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

const closed = {
  dialog: null,
  file: null,
  preview: null,
  exporting: idle,
  previewing: idle,
  importing: idle,
} satisfies Partial<TransferSlice>;

export function createTransferSlice(
  { client, read, change }: SliceTools<TransferSlice>,
  { get, show }: OtherSlices,
): Slice<TransferSlice> {
  const look = async (passphrase: string | null) => {
    const { file } = read();
    if (!file) return;
    const preview = await runRequest(
      (previewing) => change({ previewing }),
      () => client.connections.previewImport({ text: file.text, passphrase }),
    );
    if (preview && read().file === file) change({ preview });
  };
  return {
    onConnectionChange: { does: 'keep', because: 'a file holds connections, not data of their services' },
    ...closed,
    openExport: () => change({ ...closed, dialog: 'export' }),
    async openImport(file) {
      change({ ...closed, dialog: 'import', file });
      await look(null);
    },
    close: () => change(closed),
    async export(ids, passphrase) {
      const exported = await runRequest(
        (exporting) => change({ exporting }),
        () => client.connections.export({ ids, passphrase }),
      );
      if (!exported) return;
      saveFile(exported.fileName, 'application/json', exported.text);
      const secrets = exported.secretCount === 0 ? 'without secrets' : 'with secrets under the passphrase';
      show({ tone: 'good', message: `${formatCount(ids.length, 'connection')} exported, ${secrets}.` });
      read().close();
    },
    unlock: look,
    async import(indexes, passphrase) {
      const { file } = read();
      if (!file) return;
      const done = await runRequest(
        (importing) => change({ importing }),
        () => client.connections.import({ text: file.text, passphrase, indexes }),
      );
      if (!done) return;
      show({ tone: 'good', message: `${formatCount(done.entries.length, 'connection')} imported.` });
      read().close();
      await get().connections.load();
    },
  };
}
