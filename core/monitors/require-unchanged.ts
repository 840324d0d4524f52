// Detects that two people edit one monitor: compares its current state in the service with the one when the edit started and with
// the values to write. The interface has no version of a monitor and no GET by ID (docs/interface.md §4.5), so this compares with a
// fresh list.
import { isSamePlace, type MonitorBody, toLatLng } from '@rainbell/contract/service-api';
import type { MonitorBase } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { isSameAddress, placeText, type WireMonitor } from './monitor-wire.ts';

type Conflict = { field: string; mine: string; theirs: string };

/** Throws NOT_FOUND if the monitor is gone, and CONFLICT if a field has since changed to a value other than mine. */
export function requireUnchanged(
  id: string,
  base: MonitorBase,
  fresh: WireMonitor | undefined,
  mine: Partial<Pick<MonitorBody, 'callback_uri' | 'geo'>>,
): void {
  if (!fresh) throw new AppFailure('NOT_FOUND', `${id} was deleted elsewhere while you were editing.`);
  const conflicts = conflictsOf(base, fresh, mine);
  if (conflicts.length === 0) return;
  const names = conflicts.map(({ field }) => field).join(', ');
  throw new AppFailure(
    'CONFLICT',
    `${id} was changed elsewhere while you were editing (${names}). Nothing was saved. Choose which version to keep.`,
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
  // A list may omit a callback URL (docs/interface.md §2.2), so its absence means nothing.
  if (theirs.address !== undefined && base.callbackUri !== null && !isSameAddress(theirs.address, base.callbackUri)) {
    if (!isSameAddress(theirs.address, myAddress))
      conflicts.push({ field: 'callback_uri', mine: myAddress ?? '', theirs: theirs.address });
  }
  const myGeo = mine.geo ?? base.geo;
  if (!isSamePlace(theirs.geo, base.geo) && !isSamePlace(theirs.geo, myGeo))
    conflicts.push({ field: 'geo', mine: placeText(myGeo), theirs: placeText(theirs.geo) });
  return conflicts;
}
