// Rain on a monitor of the sandbox: a scenario over its location, which Undo ends. In its cool-down a monitor does not fire, so
// the user chooses between rain without a callback and a moved clock.
import { distanceKm, type LatLng } from '#contract/service-api/geo.ts';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { toFailure } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { failedToast, type NewToast } from '#renderer/store/toasts-slice.ts';
import { formatCoordinates } from '#renderer/ui/text/durations.ts';
import { formatCount } from '#renderer/ui/text/format-count.ts';
import { getDeliveryStatus } from './delivery-status.ts';
import type { MonitorsSlice } from './monitors-slice.ts';
import { placeKey } from './place-names.ts';

export type RainPart = {
  /** Asks first if the monitor is in its cool-down. */
  rainOn(monitor: AppMonitor): Promise<void>;
  rainNow(monitor: AppMonitor): Promise<void>;
  /** One scenario per area of monitors that lie close together. */
  rainOnMany(monitors: readonly AppMonitor[]): Promise<void>;
  /** Moves the sandbox's clock to when the monitor can fire again, then makes it rain. */
  rainAfterCoolDown(monitor: AppMonitor, nextAllowedAt: number): Promise<void>;
};

const rainMinutes = 20;
const radiusKm = 30;
/** A monitor this far from a center is still well inside its rain. */
const coveredKm = 25;

export function createRainPart(
  { client, read, change }: SliceTools<MonitorsSlice>,
  show: (toast: NewToast) => void,
): RainPart {
  const endRain = async (ids: readonly string[]) => {
    try {
      for (const id of ids) {
        // oxlint-disable-next-line no-await-in-loop
        await client.sandbox.endScenario({ id });
      }
      show({ tone: 'good', message: 'Rain ended' });
    } catch (error) {
      show(failedToast(toFailure(error), 'Couldn’t end the rain'));
    }
  };
  const rainOver = async (centers: readonly LatLng[], where: string) => {
    const ids: string[] = [];
    let failure: NewToast | undefined;
    for (const center of centers) {
      try {
        // oxlint-disable-next-line no-await-in-loop
        const { scenarios } = await client.sandbox.addScenario({ center, minutes: rainMinutes, radiusKm });
        const id = scenarios.at(-1)?.id;
        if (id !== undefined) ids.push(id);
      } catch (error) {
        failure = failedToast(toFailure(error), 'Couldn’t make it rain');
        break;
      }
    }
    if (failure) show(failure);
    if (ids.length === 0) return;
    show({
      tone: 'good',
      message: `Raining ${where} for ${rainMinutes} min`,
      seconds: 8,
      action: { label: 'Undo', run: () => void endRain(ids) },
    });
  };
  const rain = async ({ geo }: AppMonitor) => {
    change({ dialog: null });
    await rainOver([geo], `near ${read().places.get(placeKey(geo)) || formatCoordinates(geo)}`);
  };
  return {
    async rainOn(monitor) {
      const { nextAllowedAt } = getDeliveryStatus(monitor, read().facts, Date.now());
      if (nextAllowedAt === null) await rain(monitor);
      else change({ dialog: { kind: 'rain', monitor, nextAllowedAt } });
    },
    rainNow: rain,
    rainOnMany: (monitors) =>
      rainOver(centersOf(monitors.map(({ geo }) => geo)), `on ${formatCount(monitors.length, 'monitor')}`),
    async rainAfterCoolDown(monitor, nextAllowedAt) {
      try {
        await client.sandbox.moveClock({ kind: 'set', instant: formatInstant(nextAllowedAt + 1000) });
        await rain(monitor);
      } catch (error) {
        show(failedToast(toFailure(error), 'Couldn’t move the sandbox clock'));
      }
    },
  };
}

/** Few centers such that each location lies near one. */
function centersOf(locations: readonly LatLng[]): readonly LatLng[] {
  const centers: LatLng[] = [];
  for (const location of locations) {
    if (!centers.some((center) => distanceKm(center, location) <= coveredKm)) centers.push(location);
  }
  return centers;
}
