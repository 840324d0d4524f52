// The data folder as it was last read, and what goes on with it.
import type { DataFolder, DataKind } from '#contract/app-rpc/data.ts';
import type { SettingChange } from '#contract/app-rpc/settings.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

export type SettingsImport = {
  name: string;
  text: string;
  changes: readonly SettingChange[];
  unknown: readonly string[];
};

export type DataSlice = DataActions & {
  described: DataFolder | null;
  describing: Request;
  /** Backing up, checking a backup, or deleting one. */
  working: Request;
  clearing: Request;
  transferring: Request;
  importing: SettingsImport | null;
};

export type DataActions = {
  load(): Promise<void>;
  backUp(): Promise<void>;
  restore(name: string): Promise<void>;
  cancelRestore(): Promise<void>;
  deleteBackup(name: string): Promise<void>;
  clear(kinds: readonly DataKind[]): Promise<boolean>;
  exportSettings(): Promise<void>;
  openImport(file: { name: string; text: string }): Promise<void>;
  closeImport(): void;
  importSettings(): Promise<void>;
};

const loadActions = laterModule(() => import('./data-actions.ts'));

export function createDataSlice(tools: SliceTools<DataSlice>, others: OtherSlices): Slice<DataSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'the data folder belongs to the app' },
    described: null,
    describing: idle,
    working: idle,
    clearing: idle,
    transferring: idle,
    importing: null,
    ...laterActions(
      {
        load: true,
        backUp: true,
        restore: true,
        cancelRestore: true,
        deleteBackup: true,
        clear: true,
        exportSettings: true,
        openImport: true,
        closeImport: true,
        importSettings: true,
      },
      loadActions,
      ({ createDataActions }) => createDataActions(tools, others),
    ),
  };
}
