// Reads and saves the diagnostics: loaded after the first screen.
import type { OtherSlices } from '#renderer/store/app-state.ts';
import { runCancelableRequest, runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { saveFile } from '#renderer/ui/hooks/save-file.ts';
import type { DiagnosticsActions, DiagnosticsSlice } from './diagnostics-slice.ts';

export function createDiagnosticsActions(
  { client, change }: SliceTools<DiagnosticsSlice>,
  show: OtherSlices['show'],
): DiagnosticsActions {
  return {
    async preview() {
      const preview = await runCancelableRequest(
        (previewing) => change({ previewing }),
        (signal) => client.diagnostics.preview(undefined, { signal }),
      );
      if (preview) change({ files: preview.files });
    },
    async export() {
      const exported = await runRequest(
        (exporting) => change({ exporting }),
        () => client.diagnostics.export(),
      );
      if (!exported) return;
      const bytes = Uint8Array.from(atob(exported.zipBase64), (letter) => letter.charCodeAt(0));
      saveFile(exported.fileName, 'application/zip', bytes);
      show({ tone: 'good', message: 'Diagnostics exported' });
      change({ files: null });
    },
  };
}
