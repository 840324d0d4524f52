// Monitors that a stub of the app client keeps in memory, as core shows those of a service.
import type { AppMonitor, CallbackTarget } from '#contract/app-rpc/monitors.ts';
import { openApp, type OpenedApp } from '../open-app.ts';
import { AppError, type Stubs } from '../stub-client.ts';
import { listOf, monitorOf } from './monitor-samples.ts';

export type StoredMonitors = Map<string, AppMonitor>;

/** The screen of these monitors; `more` replaces procedures. */
export function openMonitors(
  first: readonly AppMonitor[],
  more: NonNullable<Stubs['monitors']> = {},
): OpenedApp & { stored: StoredMonitors } {
  const stored: StoredMonitors = new Map(first.map((monitor) => [monitor.id, monitor]));
  const change = (id: string, part: Partial<AppMonitor>): AppMonitor => {
    const monitor = stored.get(id);
    if (!monitor) throw new AppError('NOT_FOUND', `There is no ${id}.`);
    const changed = { ...monitor, ...part };
    stored.set(id, changed);
    return changed;
  };
  const opened = openApp({
    hash: '#/monitors',
    stubs: {
      monitors: {
        list: () => listOf([...stored.values()]),
        update: ({ id, changes: { geo, callback } }) =>
          change(id, { ...(geo && { geo }), ...(callback && { callbackUri: uriOf(callback) }) }),
        replace: ({ id, geo, callback }) => change(id, { geo, callbackUri: uriOf(callback) }),
        setNotes({ id, notes }) {
          change(id, notes);
          return {};
        },
        deleteLater({ ids }) {
          for (const id of ids) change(id, { deletion: { state: 'held' } });
          return {};
        },
        undoDelete({ ids }) {
          for (const id of ids) change(id, { deletion: null });
          return { restored: ids };
        },
        explain: () => ({ explanation: null }),
        ...more,
      },
    },
  });
  return { ...opened, stored };
}

export const uriOf = (target: CallbackTarget) =>
  target.kind === 'address' ? target.uri : 'http://127.0.0.1:4545/monitors/1';

/** Of that many places all over the world. */
export const some = (count: number): AppMonitor[] =>
  Array.from({ length: count }, (_, index) =>
    monitorOf(`precipitation_${index + 1}`, {
      callbackUri: `https://ops.example.net/teams/weather/hooks/production/rain/${index + 1}`,
      geo: { lat: (index % 160) - 80 + 0.5, lng: (index % 340) - 170 + 0.25 },
    }),
  );
