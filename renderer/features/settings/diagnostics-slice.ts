// The diagnostics as they would leave, while they are looked at.
import type { DiagnosticsFile } from '#contract/app-rpc/diagnostics.ts';
import { idle, type Request, runCancelableRequest, runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { saveFile } from '#renderer/ui/hooks/save-file.ts';

export type DiagnosticsSlice = {
  /** Null until they were asked for. */
  files: readonly DiagnosticsFile[] | null;
  previewing: Request;
  exporting: Request;
  preview(): Promise<void>;
  close(): void;
  export(): Promise<void>;
};

export function createDiagnosticsSlice(
  { client, change }: SliceTools<DiagnosticsSlice>,
  { show }: OtherSlices,
): Slice<DiagnosticsSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'it shows the files that the user reviews, as they were read' },
    files: null,
    previewing: idle,
    exporting: idle,
    async preview() {
      const preview = await runCancelableRequest(
        (previewing) => change({ previewing }),
        (signal) => client.diagnostics.preview(undefined, { signal }),
      );
      if (preview) change({ files: preview.files });
    },
    close: () => change({ files: null, exporting: idle }),
    async export() {
      const exported = await runRequest(
        (exporting) => change({ exporting }),
        () => client.diagnostics.export(),
      );
      if (!exported) return;
      const bytes = Uint8Array.from(atob(exported.zipBase64), (letter) => letter.charCodeAt(0));
      saveFile(exported.fileName, 'application/zip', bytes);
      show({ tone: 'good', message: 'The diagnostics are exported.' });
      change({ files: null });
    },
  };
}
