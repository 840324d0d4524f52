// Two people edit one monitor: what stands at the service now against what the edit began with and is about to write.
// The interface has no version of a monitor and no GET by id (docs/interface.md §4.5), so the fresh list is what can be
// compared.
import { toLatLng } from '#contract/service-api/geo.ts';
import type { MonitorBody } from '#contract/service-api/monitor.ts';
import type { MonitorBase } from '#contract/app-rpc/monitors.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { isSamePlace, placeText, type WireMonitor } from './monitor-wire.ts';

type Conflict = { field: string; mine: string; theirs: string };

/** Throws NOT_FOUND where the monitor is gone, and CONFLICT where a field moved since to something that is not mine. */
export function requireUnchanged(
  id: string,
  base: MonitorBase,
  fresh: WireMonitor | undefined,
  mine: Partial<Pick<MonitorBody, 'callback_uri' | 'geo'>>,
): void {
  if (!fresh) throw new AppFailure('NOT_FOUND', `${id} was deleted elsewhere since this edit began.`);
  const conflicts = conflictsOf(base, fresh, mine);
  if (conflicts.length === 0) return;
  const names = conflicts.map(({ field }) => field).join(' and ');
  throw new AppFailure(
    'CONFLICT',
    `Somebody else changed ${names} of ${id} since this edit began. Nothing was written; choose whose stays.`,
    { conflicts },
  );
}

function conflictsOf(
  base: MonitorBase,
  fresh: WireMonitor,
  mine: Partial<Pick<MonitorBody, 'callback_uri' | 'geo'>>,
): Conflict[] {
  const conflicts: Conflict[] = [];
  const theirs = { address: fresh.callback_uri, geo: toLatLng(fresh.geo) };
  const myAddress = mine.callback_uri ?? base.callbackUri;
  // A list may leave an address out (docs/interface.md §2.2), which tells nothing.
  if (theirs.address !== undefined && base.callbackUri !== null && theirs.address !== base.callbackUri) {
    if (theirs.address !== myAddress)
      conflicts.push({ field: 'callback_uri', mine: myAddress ?? '', theirs: theirs.address });
  }
  const myGeo = mine.geo ?? base.geo;
  if (!isSamePlace(theirs.geo, base.geo) && !isSamePlace(theirs.geo, myGeo))
    conflicts.push({ field: 'geo', mine: placeText(myGeo), theirs: placeText(theirs.geo) });
  return conflicts;
}
