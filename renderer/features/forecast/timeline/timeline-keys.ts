// The timeline by keyboard: ←/→ point, Shift+←/→ run, PgUp/PgDn day of the shown zone, Home now, End the last point.
import type { TimelineModel } from '../common/timeline-model.ts';

/** Returns the index in `model.points` that a key leads to, or undefined if the key has no function here. */
export function keyTarget(model: TimelineModel, position: number, key: string, isShift: boolean): number | undefined {
  const last = model.points.length - 1;
  const clamp = (place: number) => Math.max(0, Math.min(last, place));
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return isShift ? runStart(model, position, -1) : clamp(position - 1);
    case 'ArrowRight':
    case 'ArrowUp':
      return isShift ? runStart(model, position, 1) : clamp(position + 1);
    case 'PageUp':
      return dayStep(model, position, -1);
    case 'PageDown':
      return dayStep(model, position, 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** The first point of the next run, or of this one and then of those before it. */
function runStart({ runs, points }: TimelineModel, position: number, direction: 1 | -1): number {
  const here = runs.findIndex(({ first, last }) => first <= position && position <= last);
  if (direction === 1) return runs[here + 1]?.first ?? points.length - 1;
  const start = runs[here]?.first ?? 0;
  return start < position ? start : (runs[here - 1]?.first ?? 0);
}

/** Returns the point at the same hour of the neighboring day; on a day without that hour, the nearest after it. */
function dayStep({ points, times }: TimelineModel, position: number, direction: 1 | -1): number {
  const here = points[position];
  if (!here) return position;
  const wanted = here.at + direction * 24 * 3_600_000;
  const shift = ((times.minuteOfDay(wanted) - times.minuteOfDay(here.at) + 36 * 60) % (24 * 60)) - 12 * 60;
  const target = wanted - shift * 60_000;
  if (direction === 1) {
    const next = points.findIndex(({ at }) => at >= target);
    return next < 0 ? points.length - 1 : next;
  }
  const before = points.findLastIndex(({ at }) => at <= target);
  return Math.max(0, before);
}
