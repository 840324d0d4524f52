// Rain on a monitor of the sandbox: a scenario over its location, which Undo ends. In its cool-down a monitor does not fire, so
// the user chooses between rain without a callback and a moved clock.
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { type ClockMove, eventRulesOf, formatRain, type Rain, rainAt } from '@rainbell/contract/service-api';
import { formatInstant } from '@rainbell/shared';
import type { SliceTools } from '../../../store/slice.ts';
import { callOrToast, type NewToast } from '../../../store/toasts-slice.ts';
import { formatCoordinates } from '../../../ui/text/durations.ts';
import { kelvinOfZeroCelsius } from '../../../ui/text/units.ts';
import { getDeliveryStatus } from './delivery-status.ts';
import type { DeliveriesPart } from './deliveries-slice.ts';
import { type MonitorListState, placeKey } from './monitor-list-slice.ts';

export interface RainPart extends ReturnType<typeof createRainPart> {}

const noRain = 'Couldn’t make it rain';

export function createRainPart(
  { client, read, change }: SliceTools<MonitorListState & DeliveriesPart>,
  show: (toast: NewToast) => void,
) {
  const endRain = async (id: string) => {
    const ended = await callOrToast(show, () => client.sandbox.endScenario({ id }), 'Couldn’t end the rain');
    if (ended) show({ tone: 'good', message: 'Rain ended' });
  };
  const moveClock = async (move: ClockMove): Promise<boolean> =>
    (await callOrToast(show, () => client.sandbox.moveClock(move), 'Couldn’t move the sandbox clock')) !== undefined;
  /** Moves the sandbox's clock to when the monitor can fire again. */
  const endCoolDown = (nextAllowedAt: number) =>
    moveClock({ kind: 'set', instant: formatInstant(nextAllowedAt + 1000) });
  const rain = async ({ geo }: AppMonitor, wanted: Rain = {}): Promise<void> => {
    change({ dialog: null });
    const added = await callOrToast(show, () => client.sandbox.addScenario(rainAt(geo, wanted)), noRain);
    if (!added) return;
    const id = added.scenarios.findLast(({ center }) => center.lat === geo.lat && center.lng === geo.lng)?.id;
    const where = read().places.get(placeKey(geo)) || formatCoordinates(geo);
    show({
      tone: 'good',
      message: `Applied near ${where}: ${formatRain(wanted)} by the sandbox’s clock`,
      seconds: 8,
      ...(id !== undefined && { action: { label: 'Undo', run: () => void endRain(id) } }),
    });
  };
  return {
    /** Asks first which rain, if the monitor is in its cool-down or has conditions. */
    async rainOn(monitor: AppMonitor): Promise<void> {
      const { nextAllowedAt } = getDeliveryStatus(monitor, read().facts, Date.now());
      if (nextAllowedAt === null && !monitor.options) await rain(monitor);
      else change({ dialog: { kind: 'rain', monitor } });
    },
    rainNow: rain,
    async rainAfterCoolDown(monitor: AppMonitor, nextAllowedAt: number, weather: Rain): Promise<void> {
      if (await endCoolDown(nextAllowedAt)) await rain(monitor, weather);
    },
    /** Moves the sandbox's clock through a whole episode: before the rain, while it lasts, and until it is over. */
    async playEpisode(monitor: AppMonitor, nextAllowedAt: number | null, rain: Rain): Promise<void> {
      const rules = eventRulesOf(monitor.options ?? {});
      if (!rules) return;
      change({ dialog: null });
      const start = rules.events.includes('precipitation.expected') ? rules.leadMinutes : 1;
      const { minutes = 20, mmPerHour = rules.leastMmPerHour, kind = 'rain', temperature, windSpeed = '' } = rain;
      const end = start + minutes;
      const celsius = temperature === undefined ? '' : temperature - kelvinOfZeroCelsius;
      const wet = [start, mmPerHour, kind, celsius, windSpeed].join(',');
      const csv = `minute,mm_per_hour,kind,temperature_c,wind_ms\n0,0\n${wet}\n${end},0`;
      if (nextAllowedAt !== null && !(await endCoolDown(nextAllowedAt))) return;
      if (!(await callOrToast(show, () => client.sandbox.addSeries({ center: monitor.geo, csv }), noRain))) return;
      const passed = end + rules.dryMinutes + 10;
      if (await moveClock({ kind: 'advance', seconds: passed * 60 }))
        show({ tone: 'good', message: `Played an episode; the sandbox’s clock is ${passed} min later` });
    },
  };
}
