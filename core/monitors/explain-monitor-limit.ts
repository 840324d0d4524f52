// docs/interface.md §8: a plan limits the number of monitors, but which answer refuses one more is not shown. A service
// that gives no reason gets the likely one, with what to do.
import { plural } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';

/** Explains a refused POST to the user; `listed` is the number of monitors known, undefined before the first list. */
export function explainMonitorLimit(error: unknown, listed: number | undefined): unknown {
  if (!(error instanceof AppFailure) || error.code !== 'ACCESS_REFUSED') return error;
  const { httpStatus, error: errorCode, needs } = error.details;
  if (httpStatus !== 403 || errorCode !== undefined || needs !== undefined) return error;
  const sentences = [
    error.message,
    ...(listed === undefined
      ? []
      : [plural(listed, ['It currently lists # monitor.', 'It currently lists # monitors.'])]),
    'The plan may not allow more: delete one, or choose a larger plan on the service’s website.',
  ];
  return new AppFailure('ACCESS_REFUSED', sentences.join(' '), error.details);
}
