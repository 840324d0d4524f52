// The diagnostics to export, while the user reviews them.
import type { DiagnosticsFile } from '@rainbell/contract/app-rpc';
import { idle, type Request, runCancelableRequest, runRequest } from '../../store/request.ts';
import type { OtherSlices } from '../../store/app-state.ts';
import type { Slice, SliceTools } from '../../store/slice.ts';
import { saveFile } from '../../ui/hooks/save-file.ts';

export type DiagnosticsSlice = DiagnosticsActions & {
  /** Null until loaded. */
  files: readonly DiagnosticsFile[] | null;
  previewing: Request;
  exporting: Request;
  close(): void;
};

export type DiagnosticsActions = {
  preview(): Promise<void>;
  export(): Promise<void>;
};

export function createDiagnosticsSlice(
  tools: SliceTools<DiagnosticsSlice>,
  { show }: OtherSlices,
): Slice<DiagnosticsSlice> {
  const { change } = tools;
  return {
    onConnectionChange: { does: 'keep', because: 'it shows the files that the user reviews, as they were read' },
    files: null,
    previewing: idle,
    exporting: idle,
    close: () => change({ files: null, exporting: idle }),
    ...createDiagnosticsActions(tools, show),
  };
}

function createDiagnosticsActions(
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
