// docs/interface.md §8: a plan limits the number of monitors, but which answer refuses one more is not shown. A service
// that gives no reason gets the likely one, with what to do.
import { AppFailure } from '#core/errors/app-failure.ts';

/** Explains a refused POST to the user; `listed` is the number of monitors known, undefined before the first list. */
export function explainMonitorLimit(error: unknown, listed: number | undefined): unknown {
  if (!(error instanceof AppFailure) || error.code !== 'ACCESS_REFUSED') return error;
  const { httpStatus, error: told, needs } = error.details;
  if (httpStatus !== 403 || told !== undefined || needs !== undefined) return error;
  const count = listed === undefined ? '' : ` It lists ${listed === 1 ? 'one monitor' : `${listed} monitors`} now.`;
  return new AppFailure(
    'ACCESS_REFUSED',
    `${error.message}${count} Its plan may allow no more: delete one, or choose a larger plan on its website.`,
    error.details,
  );
}
