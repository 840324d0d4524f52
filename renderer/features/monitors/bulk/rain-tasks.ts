// Rain on many monitors of the sandbox.
import type { AppMonitor, BulkTask } from '@rainbell/contract/app-rpc';
import { distanceKm } from '@rainbell/contract/service-api';
import { labelOf } from '../common/bulk-tasks.ts';

const rainMinutes = 20;
const rainRadiusKm = 30;
/** A monitor this far from a center is still well inside its rain. */
const coveredKm = 25;

/** One scenario for monitors that are close together. */
export function rainTasks(monitors: readonly AppMonitor[]): BulkTask[] {
  const areas: { center: AppMonitor; count: number }[] = [];
  for (const monitor of monitors) {
    const area = areas.find(({ center }) => distanceKm(center.geo, monitor.geo) <= coveredKm);
    if (area) area.count += 1;
    else areas.push({ center: monitor, count: 1 });
  }
  return areas.map(({ center, count }) => ({
    kind: 'rain',
    label: count === 1 ? labelOf(center) : `${labelOf(center)} and ${(count - 1).toLocaleString('en')} nearby`,
    center: center.geo,
    minutes: rainMinutes,
    radiusKm: rainRadiusKm,
  }));
}
