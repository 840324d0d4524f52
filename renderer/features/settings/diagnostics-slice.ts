// The diagnostics to export, while the user reviews them.
import type { DiagnosticsFile } from '@rainbell/contract/app-rpc';
import { idle } from '../../store/request.ts';
import type { OtherSlices } from '../../store/app-state.ts';
import type { SliceTools } from '../../store/slice.ts';
import { saveFile } from '../../ui/hooks/save-file.ts';

export interface DiagnosticsSlice extends ReturnType<typeof createDiagnosticsSlice> {}

export function createDiagnosticsSlice(
  { client, change, run, runCancelable }: SliceTools<DiagnosticsSlice>,
  { show }: OtherSlices,
) {
  return {
    onConnectionChange: { does: 'keep', because: 'it shows the files as they were when core read them' } as const,
    /** Null until loaded. */
    files: null as readonly DiagnosticsFile[] | null,
    previewing: idle,
    exporting: idle,
    close: (): void => change({ files: null, exporting: idle }),
    async preview(): Promise<void> {
      const preview = await runCancelable('previewing', (signal) => client.diagnostics.preview(undefined, { signal }));
      if (preview) change({ files: preview.files });
    },
    async export(): Promise<void> {
      const exported = await run('exporting', () => client.diagnostics.export());
      if (!exported) return;
      const bytes = Uint8Array.from(atob(exported.zipBase64), (letter) => letter.charCodeAt(0));
      saveFile(exported.fileName, 'application/zip', bytes);
      show({ tone: 'good', message: 'Diagnostics exported' });
      change({ files: null });
    },
  };
}
