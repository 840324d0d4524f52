// The diagnostics to export, while the user reviews them.
import type { DiagnosticsFile } from '#contract/app-rpc/diagnostics.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

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

const loadActions = laterModule(() => import('./diagnostics-actions.ts'));

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
    ...laterActions({ preview: true, export: true }, loadActions, ({ createDiagnosticsActions }) =>
      createDiagnosticsActions(tools, show),
    ),
  };
}
