// What can be done with the data folder: backups, deleting by kind, and settings to and from a file.
import type { OtherSlices } from '#renderer/store/app-state.ts';
import { idle, isCanceled, runCancelableRequest, runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { saveFile } from '#renderer/ui/hooks/save-file.ts';
import { formatSize } from '#renderer/ui/text/durations.ts';
import type { DataActions, DataSlice } from './data-slice.ts';

export function createDataActions(
  { client, read, change }: SliceTools<DataSlice>,
  { get, show }: OtherSlices,
): DataActions {
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
      if (made) show({ tone: 'good', message: `Backup created: ${made.name}, ${formatSize(made.bytes)}` });
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
    async exportSettings() {
      const file = await runRequest(
        (transferring) => change({ transferring }),
        () => client.settings.export(),
      );
      if (file) saveFile(file.fileName, 'application/json', file.text);
    },
    async openImport(file) {
      change({ importing: null });
      const preview = await runRequest(
        (transferring) => change({ transferring }),
        () => client.settings.previewImport({ text: file.text }),
      );
      if (preview) change({ importing: { ...file, ...preview } });
    },
    closeImport: () => change({ importing: null, transferring: idle }),
    async importSettings() {
      const { importing } = read();
      if (!importing) return;
      const values = await runRequest(
        (transferring) => change({ transferring }),
        () => client.settings.import({ text: importing.text }),
      );
      if (!values) return;
      change({ importing: null });
      await get().settings.load();
      show({ tone: 'good', message: 'Settings imported' });
    },
  };
}
