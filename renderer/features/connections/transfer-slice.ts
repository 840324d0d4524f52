// Exports connections to a file, and imports them: which task runs, and what the last import did with each entry.
import type { ImportedConnection } from '@rainbell/contract/app-rpc';
import type { OtherSlices } from '../../store/app-state.ts';
import { idle, type Request, runCancelableRequest, runRequest } from '../../store/request.ts';
import type { Slice, SliceTools } from '../../store/slice.ts';
import { saveFile } from '../../ui/hooks/save-file.ts';

export type TransferSlice = {
  exporting: Request;
  importing: Request;
  /** Null while no result is on show. */
  imported: readonly ImportedConnection[] | null;
  /** Saves all own connections, without secrets. */
  export(): Promise<void>;
  import(text: string): Promise<void>;
  closeResult(): void;
};

export function createTransferSlice(
  { client, change }: SliceTools<TransferSlice>,
  { get }: OtherSlices,
): Slice<TransferSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'a file contains connections, not data from their services' },
    exporting: idle,
    importing: idle,
    imported: null,
    async export() {
      const exported = await runCancelableRequest(
        (exporting) => change({ exporting }),
        (signal) => client.connections.export(undefined, { signal }),
        'No file was saved.',
      );
      if (exported) saveFile(exported.fileName, 'application/json', exported.text);
    },
    async import(text) {
      const done = await runRequest(
        (importing) => change({ importing }),
        () => client.connections.import({ text }),
      );
      if (!done) return;
      change({ imported: done.entries });
      await get().connections.load();
    },
    closeResult: () => change({ imported: null }),
  };
}
