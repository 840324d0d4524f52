// Runs after a new token or another connection, in addition to reading all data again.
import type { BulkRun } from '@rainbell/contract/app-rpc';
import { boardKey } from '../features/forecast/board/board-slice.ts';
import type { AppStore } from '../store/app-state.ts';
import type { Failure, Request } from '../store/request.ts';

/**
 * Repeats what failed because there was no token that the service accepts, for instance until the user signed in. What failed
 * after the token was obtained was refused with it: each repetition would get one more token, without end. Both times are by the
 * host's clock, because the browser's may be hours off.
 */
export function repeatRefused(store: AppStore): void {
  const { forecast, monitors, compare, board, settings, frame } = store.getState();
  const token = frame.status?.token;
  const obtainedAt = token?.state === 'valid' ? Date.parse(token.obtainedAt) : 0;
  const lackedToken = (request: Request) => request.state === 'failed' && failedAt(request.failure) < obtainedAt;
  if (lackedToken(forecast.request)) void forecast.refetch();
  if (lackedToken(monitors.request)) void monitors.load();
  if (compare.sides && Object.values(compare.loaded).some((side) => lackedToken(side.request)))
    void compare.open(compare.sides);
  const refused = settings.values.savedPlaces.filter((place) => {
    const entry = board.entries[boardKey(place)];
    return entry !== undefined && lackedToken(entry.request);
  });
  if (refused.length > 0) void board.load(refused, true);
}

/** Infinity if the failure was not of a token: only those have `at`. */
function failedAt({ details }: Failure): number {
  return details.at === undefined ? Infinity : Date.parse(details.at);
}

/** `bulk`: the action that the change stopped, if one was running. */
export function afterConnectionChange(store: AppStore, formerName: string, bulk: BulkRun | null): void {
  const { frame, compare, toasts } = store.getState();
  if (bulk?.isRunning) toasts.show({ tone: 'bad', message: `${formerName}: ${stoppedBulk(bulk)}` });
  if (frame.screen === 'sandbox' && !frame.status?.connection.isSandbox) frame.goTo('forecast');
  // One side or both may be of the active connection.
  if (frame.status?.connection.state === 'ready' && compare.sides) void compare.open(compare.sides);
}

function stoppedBulk({ title, done, total }: BulkRun): string {
  return `“${title}” stopped after ${done} of ${total} because the active connection changed.`;
}
