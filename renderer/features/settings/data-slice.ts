// The data folder as it was last read, and what goes on with it.
import type { DataFolder, DataKind } from '@rainbell/contract/app-rpc';
import type { OtherSlices } from '../../store/app-state.ts';
import { idle, isCanceled } from '../../store/request.ts';
import type { SliceTools } from '../../store/slice.ts';
import { formatSize } from '../../ui/text/durations.ts';

export interface DataSlice extends ReturnType<typeof createDataSlice> {}

export function createDataSlice(
  { client, read, change, run, runCancelable }: SliceTools<DataSlice>,
  { show }: OtherSlices,
) {
  const work = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
    const result = await run('working', call);
    await read().load();
    return result;
  };
  return {
    onConnectionChange: { does: 'keep', because: 'the data folder belongs to the app' } as const,
    described: null as DataFolder | null,
    describing: idle,
    /** Backing up, checking a backup, or deleting one. */
    working: idle,
    clearing: idle,
    load: (): Promise<void> =>
      runCancelable('describing', async (signal) =>
        change({ described: await client.data.describe(undefined, { signal }) }),
      ),
    async backUp(): Promise<void> {
      const before = new Set(read().described?.backups.map(({ name }) => name));
      const backup = await runCancelable('working', (signal) => client.data.backUp(undefined, { signal }), {
        canceledText: 'No backup was created.',
      });
      await read().load();
      // Core may have finished before it learned of the cancellation.
      const late = isCanceled(read().working) && read().described?.backups.find(({ name }) => !before.has(name));
      if (late) change({ working: idle });
      const made = backup || late;
      if (made) show({ tone: 'good', message: `Backup created: ${formatSize(made.bytes)}` });
    },
    async restore(name: string): Promise<void> {
      await runCancelable('working', (signal) => client.data.restore({ name }, { signal }), {
        canceledText: 'Nothing was restored.',
      });
      // Core may have finished before it learned of the cancellation.
      if (isCanceled(read().working)) await client.data.cancelRestore();
      await read().load();
    },
    cancelRestore: async (): Promise<void> => void (await work(() => client.data.cancelRestore())),
    deleteBackup: async (name: string): Promise<void> => void (await work(() => client.data.deleteBackup({ name }))),
    async clear(kinds: readonly DataKind[]): Promise<boolean> {
      const done = await runCancelable('clearing', (signal) => client.data.clear({ kinds: [...kinds] }, { signal }), {
        canceledText: 'Data deleted so far can’t be recovered. The counts above show what is left.',
      });
      await read().load();
      return done !== undefined;
    },
  };
}
