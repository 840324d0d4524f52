import type { Feature, Parts } from '../app/feature.ts';
import { createBackups } from './backups.ts';
import { folderParts } from './folder-parts.ts';
import { createStoredData } from './stored-data.ts';

export function backup(parts: Parts): Feature<'data'> {
  const { dataFolder, storage } = parts;
  const backups = createBackups({ ...parts, onDamage: storage.foundDamage });
  const storedData = createStoredData(parts);
  return {
    handlers: {
      data: {
        describe: async () => ({
          folder: dataFolder,
          parts: await folderParts(dataFolder),
          stored: storedData.count(),
          backups: backups.list(),
          pendingRestore: backups.pendingRestore(),
        }),
        backUp: ({ signal }) => backups.create(signal),
        restore: ({ input, signal }) => backups.restore(input.name, signal),
        cancelRestore: backups.cancelRestore,
        deleteBackup: ({ input }) => backups.delete(input.name),
        clear: ({ input, signal }) => storedData.clear(input.kinds, signal),
      },
    },
    close: backups.close,
  };
}
