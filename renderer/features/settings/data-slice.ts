// The data folder as it was last read, and what goes on with it.
import type { DataFolder, DataKind } from '@rainbell/contract/app-rpc';
import type { OtherSlices } from '../../store/app-state.ts';
import { idle, isCanceled, type Request, runCancelableRequest, runRequest } from '../../store/request.ts';
import type { Slice, SliceTools } from '../../store/slice.ts';
import { formatSize } from '../../ui/text/durations.ts';

export type DataSlice = DataActions & {
  described: DataFolder | null;
  describing: Request;
  /** Backing up, checking a backup, or deleting one. */
  working: Request;
  clearing: Request;
};

export type DataActions = {
  load(): Promise<void>;
  backUp(): Promise<void>;
  restore(name: string): Promise<void>;
  cancelRestore(): Promise<void>;
  deleteBackup(name: string): Promise<void>;
  clear(kinds: readonly DataKind[]): Promise<boolean>;
};

export function createDataSlice(tools: SliceTools<DataSlice>, others: OtherSlices): Slice<DataSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'the data folder belongs to the app' },
    described: null,
    describing: idle,
    working: idle,
    clearing: idle,
    ...createDataActions(tools, others),
  };
}

function createDataActions({ client, read, change }: SliceTools<DataSlice>, { show }: OtherSlices): DataActions {
  const work = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
    const result = await runRequest((working) => change({ working }), call);
    await read().load();
    return result;
  };
  return {
    async load() {
      const described = await runCancelableRequest(
        (describing) => change({ describing }),
        (signal) => client.data.describe(undefined, { signal }),
      );
      if (described) change({ described });
    },
    async backUp() {
      const before = new Set(read().described?.backups.map(({ name }) => name));
      const backup = await runCancelableRequest(
        (working) => change({ working }),
        (signal) => client.data.backUp(undefined, { signal }),
        'No backup was created.',
      );
      await read().load();
      // Core may have finished before it learned of the cancellation.
      const late = isCanceled(read().working) && read().described?.backups.find(({ name }) => !before.has(name));
      if (late) change({ working: idle });
      const made = backup || late;
      if (made) show({ tone: 'good', message: `Backup created: ${formatSize(made.bytes)}` });
    },
    async restore(name) {
      await runCancelableRequest(
        (working) => change({ working }),
        (signal) => client.data.restore({ name }, { signal }),
        'Nothing was restored.',
      );
      // Core may have finished before it learned of the cancellation.
      if (isCanceled(read().working)) await client.data.cancelRestore();
      await read().load();
    },
    cancelRestore: async () => void (await work(() => client.data.cancelRestore())),
    deleteBackup: async (name) => void (await work(() => client.data.deleteBackup({ name }))),
    async clear(kinds) {
      const done = await runCancelableRequest(
        (clearing) => change({ clearing }),
        (signal) => client.data.clear({ kinds: [...kinds] }, { signal }),
        'Data deleted so far can’t be recovered. The counts above show what is left.',
      );
      await read().load();
      return done !== undefined;
    },
  };
}
