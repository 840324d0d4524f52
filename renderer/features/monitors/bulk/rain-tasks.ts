// Rain on many monitors of the sandbox.
import type { AppMonitor, BulkTask } from '@rainbell/contract/app-rpc';
import { distanceKm, type Rain } from '@rainbell/contract/service-api';
import { labelOf } from '../common/bulk-tasks.ts';

/** A monitor this far from a center is still well inside its rain, which has a radius of 30 km. */
const coveredKm = 25;

/** One scenario for monitors that are close together. */
export function rainTasks(monitors: readonly AppMonitor[], rain: Rain): BulkTask[] {
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
    rain,
  }));
}
