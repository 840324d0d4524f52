// The list of monitors, and what is open over it: what every part of the slice of monitors may read.
import type {
  AppMonitor,
  CallbackSummary,
  CallbackTarget,
  MonitorHistoryEntry,
  MonitorNotes,
} from '@rainbell/contract/app-rpc';
import type { LatLng, MonitorOptions } from '@rainbell/contract/service-api';
import type { Request } from '../../../store/request.ts';
import type { BulkAction } from './bulk-action.ts';
import type { MonitorView } from './monitor-view.ts';

/** `options`: all of its members for events; absent if they stay. */
export type MonitorDraft = { geo: LatLng; callback: CallbackTarget; options?: MonitorOptions };

export type PanelTab = 'overview' | 'edit' | 'json';

/** Which dialog is open. */
export type MonitorDialog =
  | { kind: 'create'; at: LatLng | null }
  | { kind: 'import' }
  | { kind: 'rain'; monitor: AppMonitor }
  | { kind: 'bulk'; action: BulkAction; monitors: readonly AppMonitor[] }
  | null;

/** Actions on the list as a whole. */
export type ListActions = {
  load(): Promise<void>;
  /** Once the list is loaded: if the selected monitor is not in it, says so and selects none. */
  dropUnknownSelection(): void;
  /** Callbacks that arrived tell their monitors' last event, without asking the service again. */
  noteCallbacks(rows: readonly CallbackSummary[]): void;
};

export type MonitorListState = {
  items: readonly AppMonitor[];
  /** What of the list can't be shown, in sentences. */
  problems: readonly string[];
  /** Terms of `front:` by monitor, in lower case. */
  frontTerms: ReadonlyMap<string, readonly string[]>;
  view: MonitorView;
  fetchedAt: number | null;
  /** Grows when the list and its delivery states were read. */
  reads: number;
  request: Request;
  /** The open dialog's request. */
  saving: Request;
  dialog: MonitorDialog;
  /** The tab of the details; it stays from one monitor to the next. */
  panelTab: PanelTab;
  /** IDs of the monitors that are selected for an action on many. */
  selection: ReadonlySet<string>;
  /** Changes of the selected monitor, newest first. */
  history: { id: string; entries: readonly MonitorHistoryEntry[] } | null;
  setFrontTerms(frontTerms: ReadonlyMap<string, readonly string[]>): void;
  setView(part: Partial<MonitorView>): void;
  loadHistory(id: string): Promise<void>;
  openDialog(dialog: MonitorDialog): void;
  showTab(tab: PanelTab): void;
  setSelection(ids: Iterable<string>): void;
  toggleSelected(id: string): void;
  setNotes(id: string, notes: MonitorNotes): Promise<boolean>;
};
