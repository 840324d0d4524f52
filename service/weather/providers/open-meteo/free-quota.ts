// Shares the free host's quota among places. The host allows 600 calls a minute, 5,000 an hour, and 10,000 a day, and counts each
// of our places, with its 18 variables, as 1.8 calls. Watched places get 200 an hour, whatever clients request.
import { plural } from '@rainbell/shared';
import { createRequestBudget } from '../../fetch/request-budget.ts';
import type { ProviderContext } from '../provider.ts';

type Dependencies = Pick<ProviderContext, 'fleet' | 'machineClock' | 'countPlaces' | 'hasAlternative'>;

const perHour = 200;
/** What clients get if watched places need everything else. */
const othersPerDay = 480;
const countedForMs = 60_000;
const shortestMinutes = 15;
/** About this part of the places is wet. */
const wetPart = 0.07;

export function createFreeQuota({ fleet, machineClock, countPlaces, hasAlternative }: Dependencies) {
  const watched = createRequestBudget(fleet, 'open-meteo-watched', [{ seconds: 3_600, max: perHour }]);
  const others = createRequestBudget(fleet, 'open-meteo', [
    { seconds: 60, max: 250 },
    { seconds: 3_600, max: 2_400 },
    { seconds: 86_400, max: 24 * perHour },
  ]);
  let counted = { places: 0, until: -Infinity };

  async function pace() {
    if (machineClock.elapsed() >= counted.until) {
      const places = await countPlaces().catch(() => counted.places);
      counted = { places, until: machineClock.elapsed() + countedForMs };
    }
    const { places } = counted;
    return { places, ...paceOf(hasAlternative() ? 0 : places) };
  }

  return {
    /** Counts the places of a request; otherwise returns the seconds until it may be allowed. */
    async take(places: number, isWatched: boolean): Promise<number> {
      if (isWatched) return watched.take(places);
      const reserved = 24 * Math.min(perHour, (await pace()).places * 4) - othersPerDay;
      const left = (await others.left()).at(-1)?.left ?? 0;
      return left > reserved ? others.take(places) : 3_600;
    },
    async intervalsMs(rainyPlaces: number) {
      const { dryMinutes, forRain } = await pace();
      const rainyMinutes = 60 / (60 / dryMinutes + forRain / Math.max(1, rainyPlaces));
      return { dry: dryMinutes * 60_000, rainy: Math.max(shortestMinutes, rainyMinutes) * 60_000 };
    },
    allowed: async () => (await watched.left())[0]?.left ?? 0,
    left: async () => [...(await watched.left()), ...(await others.left())],
    /** `60 places: checked every 20 minutes`, and how to check them more often. */
    async describe(): Promise<string> {
      const { places, saidMinutes } = await pace();
      const time = saidMinutes <= 90 ? `${saidMinutes} minutes` : `${Math.ceil(saidMinutes / 60)} hours`;
      const ways = saidMinutes > shortestMinutes ? waysToMore : '';
      return `${plural(places, ['# place', '# places'])}: checked every ${time}${ways}`;
    },
  };
}

const waysToMore =
  ', and more often where rain is likely. For shorter intervals, set RAINBELL_OPEN_METEO_API_KEY (your own key), ' +
  'RAINBELL_OPEN_METEO_URL (your own mirror), or RAINBELL_MET_NORWAY_CONTACT (MET Norway as well).';

/**
 * `forRain`: requests an hour for places where rain is likely, in addition to their turns. Up to an hour, all places have their turns
 * together, so a whole number of turns fits into it. Beyond that, a turn can be an hour late.
 */
function paceOf(places: number): { dryMinutes: number; saidMinutes: number; forRain: number } {
  const forRain = Math.min(perHour / 2, places * wetPart * 4);
  const turns = (perHour - forRain) / Math.max(1, places);
  const dryMinutes = turns < 1 ? Math.ceil(60 / turns) : 60 / Math.min(4, Math.floor(turns));
  return { dryMinutes, saidMinutes: turns < 1 ? dryMinutes + 60 : dryMinutes, forRain };
}
