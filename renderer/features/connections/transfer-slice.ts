// Exports connections to a file, and imports them: which task runs, and what the last import did with each entry.
import type { ImportedConnection } from '@rainbell/contract/app-rpc';
import type { OtherSlices } from '../../store/app-state.ts';
import { idle } from '../../store/request.ts';
import type { SliceTools } from '../../store/slice.ts';
import { saveFile } from '../../ui/hooks/save-file.ts';

export interface TransferSlice extends ReturnType<typeof createTransferSlice> {}

export function createTransferSlice(
  { client, change, run, runCancelable }: SliceTools<TransferSlice>,
  { get }: OtherSlices,
) {
  return {
    onConnectionChange: { does: 'keep', because: 'a file contains connections, not data from their services' } as const,
    exporting: idle,
    importing: idle,
    /** Null while no result is on show. */
    imported: null as readonly ImportedConnection[] | null,
    /** Saves all own connections, without secrets. */
    async export(): Promise<void> {
      const exported = await runCancelable('exporting', (signal) => client.connections.export(undefined, { signal }), {
        canceledText: 'No file was saved.',
      });
      if (exported) saveFile(exported.fileName, 'application/json', exported.text);
    },
    async import(text: string): Promise<void> {
      const done = await run('importing', () => client.connections.import({ text }));
      if (!done) return;
      change({ imported: done.entries });
      await get().connections.load();
    },
    closeResult: (): void => change({ imported: null }),
  };
}
