// A data folder that cannot be written to: no half start, one sentence with the way out.
import { expect, test } from 'vitest';
import { startAppProcess } from '#test/stories/app-process.ts';
import { startServiceProcess } from '#test/stories/service-process.ts';
import { canMount, smallDisk } from './small-disk.ts';

function readOnlyFolder(): string {
  const disk = smallDisk(4);
  disk.setReadOnly();
  return disk.folder;
}

test.skipIf(!canMount)('the app says which folder it cannot write, and what to do', async () => {
  const folder = readOnlyFolder();
  await expect(startAppProcess(folder)).rejects.toThrow(
    new RegExp(
      `The data folder ${folder} cannot be written to \\(.*read-only.*\\)\\. Make it writable, or choose another one with --data`,
    ),
  );
});

test.skipIf(!canMount)('the service says which folder it cannot write, and what to do', async () => {
  const folder = readOnlyFolder();
  await expect(startServiceProcess(['--data', folder])).rejects.toThrow(
    `${folder}/service/service.sqlite cannot be opened for writing (the folder is read-only)`,
  );
});
