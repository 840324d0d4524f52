// Rain on a monitor of the sandbox: a scenario over its location, which Undo ends. In its cool-down a monitor does not fire, so
// the user chooses between rain without a callback and a moved clock.
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { formatInstant } from '@rainbell/shared';
import { toFailure } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { failedToast, type NewToast } from '../../../store/toasts-slice.ts';
import { formatCoordinates } from '../../../ui/text/durations.ts';
import { getDeliveryStatus } from './delivery-status.ts';
import type { DeliveriesPart } from './deliveries-slice.ts';
import type { MonitorListState } from './monitor-list-state.ts';
import { placeKey, type PlaceNamesPart } from './place-names.ts';

export interface RainPart extends ReturnType<typeof createRainPart> {}

const rainMinutes = 20;
const radiusKm = 30;

export function createRainPart(
  { client, read, change }: SliceTools<MonitorListState & PlaceNamesPart & DeliveriesPart>,
  show: (toast: NewToast) => void,
) {
  const endRain = async (id: string) => {
    try {
      await client.sandbox.endScenario({ id });
      show({ tone: 'good', message: 'Rain ended' });
    } catch (error) {
      show(failedToast(toFailure(error), 'Couldn’t end the rain'));
    }
  };
  const rain = async ({ geo }: AppMonitor): Promise<void> => {
    change({ dialog: null });
    try {
      const { scenarios } = await client.sandbox.addScenario({ center: geo, minutes: rainMinutes, radiusKm });
      const id = scenarios.findLast(({ center }) => center.lat === geo.lat && center.lng === geo.lng)?.id;
      const where = read().places.get(placeKey(geo)) || formatCoordinates(geo);
      show({
        tone: 'good',
        message: `Raining near ${where} for ${rainMinutes} min by the sandbox’s clock`,
        seconds: 8,
        ...(id !== undefined && { action: { label: 'Undo', run: () => void endRain(id) } }),
      });
    } catch (error) {
      show(failedToast(toFailure(error), 'Couldn’t make it rain'));
    }
  };
  return {
    /** Confirms first if the monitor is in its cool-down. */
    async rainOn(monitor: AppMonitor): Promise<void> {
      const { nextAllowedAt } = getDeliveryStatus(monitor, read().facts, Date.now());
      if (nextAllowedAt === null) await rain(monitor);
      else change({ dialog: { kind: 'rain', monitor, nextAllowedAt } });
    },
    rainNow: rain,
    /** Moves the sandbox's clock to when the monitor can fire again, then makes it rain. */
    async rainAfterCoolDown(monitor: AppMonitor, nextAllowedAt: number): Promise<void> {
      try {
        await client.sandbox.moveClock({ kind: 'set', instant: formatInstant(nextAllowedAt + 1000) });
        await rain(monitor);
      } catch (error) {
        show(failedToast(toFailure(error), 'Couldn’t move the sandbox clock'));
      }
    },
  };
}
