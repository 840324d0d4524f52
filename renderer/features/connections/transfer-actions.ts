// Exports connections to a file, and imports them.
import { runCancelableRequest, runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { plural } from '#shared/text/plural.ts';
import { saveFile } from '#renderer/ui/hooks/save-file.ts';
import { closed, type TransferActions, type TransferSlice } from './transfer-slice.ts';

export function createTransferActions(
  { client, read, change }: SliceTools<TransferSlice>,
  { get, show }: OtherSlices,
): TransferActions {
  const preview = async (passphrase: string | null) => {
    const { file } = read();
    if (!file) return;
    const found = await runCancelableRequest(
      (previewing) => change({ previewing }),
      (signal) => client.connections.previewImport({ text: file.text, passphrase }, { signal }),
      'The file was not read.',
    );
    if (found && read().file === file) change({ preview: found });
  };
  return {
    openExport: () => change({ ...closed, dialog: 'export' }),
    async openImport(file) {
      change({ ...closed, dialog: 'import', file });
      await preview(null);
    },
    close: () => change(closed),
    async export(ids, passphrase) {
      const exported = await runCancelableRequest(
        (exporting) => change({ exporting }),
        (signal) => client.connections.export({ ids, passphrase }, { signal }),
        'No file was saved.',
      );
      if (!exported) return;
      saveFile(exported.fileName, 'application/json', exported.text);
      show({
        tone: 'good',
        message:
          exported.secretCount === 0
            ? plural(ids.length, ['# connection exported without secrets', '# connections exported without secrets'])
            : plural(ids.length, [
                '# connection exported, with encrypted secrets',
                '# connections exported, with encrypted secrets',
              ]),
      });
      read().close();
    },
    unlock: preview,
    async import(indexes, passphrase) {
      const { file } = read();
      if (!file) return;
      const done = await runRequest(
        (importing) => change({ importing }),
        () => client.connections.import({ text: file.text, passphrase, indexes }),
      );
      if (!done) return;
      show({ tone: 'good', message: plural(done.entries.length, ['# connection imported', '# connections imported']) });
      read().close();
      await get().connections.load();
    },
  };
}
