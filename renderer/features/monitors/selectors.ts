// What other features may read of the monitors, and do with them.
import type { AppMonitor, BulkTask, CallbackSummary } from '@rainbell/contract/app-rpc';
import type { AppState } from '../../store/app-state.ts';
import type { Request } from '../../store/request.ts';
import type { DeliveryFacts } from './common/delivery-status.ts';
import type { MonitorDraft } from './common/monitor-list-slice.ts';

export const selectMonitors = (state: AppState): readonly AppMonitor[] => state.monitors.items;

/** What the service offers beyond the interface; null until it is known. */
export const selectServiceOffers = (state: AppState): DeliveryFacts => state.monitors.facts;

/** When the list was read; null before the first time. */
export const selectMonitorsReadAt = (state: AppState): number | null => state.monitors.fetchedAt;

export function selectOpenMonitor({ monitors: { items, selectedId } }: AppState): AppMonitor | undefined {
  return items.find(({ id }) => id === selectedId);
}

export function openRainDialog({ monitors }: AppState, monitor: AppMonitor): void {
  monitors.openDialog({ kind: 'rain', monitor });
}

export function openMonitor(state: AppState, id: string): void {
  state.frame.goTo('monitors');
  state.monitors.select(id);
}

/** The request of the form, or of `createMonitor`. */
export const selectMonitorSaving = (state: AppState): Request => state.monitors.saving;

export async function createMonitor(state: AppState, draft: MonitorDraft): Promise<void> {
  await state.monitors.create(draft);
}

/** Callbacks that arrived tell their monitors' last event. */
export function noteCallbacks(state: AppState, rows: readonly CallbackSummary[]): void {
  state.monitors.noteCallbacks(rows);
}

/** Runs an action on many; `BulkResults` shows it. */
export function runTasks(state: AppState, title: string, tasks: readonly BulkTask[]): void {
  void state.monitors.runBulk(title, tasks);
}

export async function resendEvent(state: AppState, event: { monitor_id: string; id: string }): Promise<void> {
  await state.monitors.resend(event.monitor_id, event.id);
}
