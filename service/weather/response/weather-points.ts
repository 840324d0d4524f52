// Converts one cell's weather to the points of the response (docs/interface.md §2.3, §4.3): now first, then ascending steps up to
// 72 hours ahead. Pure.
import { createCache } from '../../cache/create-cache.ts';
import {
  forecastHorizonHours,
  iconName,
  iconNames,
  type Location,
  toGeoPoint,
  type WeatherPoint,
  type WeatherPointField,
} from '@rainbell/contract/service-api';
import { formatTimestamp, hourMs } from '@rainbell/shared';
import { type CellWeather, type Reading, presentReading } from '../reading/reading.ts';
import { scenarioSource } from '../sources/scenarios.ts';
import { sunOver, sunTermsAt, type SunTerms } from '../reading/sun.ts';

/** The value in `sources` of points whose provider has not responded since. */
const storedSource = 'stored';

export type AssemblyInput = {
  weather: CellWeather;
  now: number;
  baseUrl: string;
  location: Location | undefined;
};

/**
 * A point with every field of the schema, including optional ones: a new field does not compile until it is set here. Only
 * `location` is optional, for a place without a name.
 */
type AssembledPoint = Required<Pick<WeatherPoint, Exclude<WeatherPointField, 'location'>>> &
  Pick<WeatherPoint, 'location'>;

type InstantTerms = { timestamp: string; sun: SunTerms };

/** Values that the points of all places share, because forecasts have the same hours; one per service. */
export type SharedTerms = (instant: number) => InstantTerms;

const rememberedInstants = 1_000;

export function createSharedTerms(): SharedTerms {
  const remembered = createCache<number, InstantTerms>(rememberedInstants);
  return (instant) => {
    let terms = remembered.get(instant);
    if (terms === undefined) {
      terms = { timestamp: formatTimestamp(instant), sun: sunTermsAt(instant) };
      remembered.set(instant, terms);
    }
    return terms;
  };
}

export function assemblePoints(
  { weather, now, baseUrl, location }: AssemblyInput,
  termsOf: SharedTerms = createSharedTerms(),
): AssembledPoint[] {
  const present = presentReading(weather, now);
  const after = Math.max(now, present?.at ?? now);
  const horizon = now + forecastHorizonHours * hourMs;
  const geo = toGeoPoint(weather.grid);
  const stored = weather.isStored ? [storedSource] : [];
  const plainSources = [weather.source, ...stored];
  const altitudeOf = sunOver(weather.grid);
  const iconUrls = new Map(iconNames.map((name) => [name, `${baseUrl}/v2/icons/${name}`]));
  const pointOf = (reading: Reading): AssembledPoint => {
    const { timestamp, sun } = termsOf(reading.at);
    const { status, measured } = reading;
    const sun_altitude = altitudeOf(sun);
    const words = measured ? { status, measured } : { status };
    const icon = iconUrls.get(iconName(status, sun_altitude)) ?? '';
    const sources = sourcesOf(reading, plainSources, stored);
    // Written out, because spreading objects into one another takes longer than everything else.
    if (location) return { timestamp, weather: words, geo, location, icon, sun_altitude, sources };
    return { timestamp, weather: words, geo, icon, sun_altitude, sources };
  };
  const points = present ? [pointOf(present)] : [];
  for (const step of weather.steps) if (step.at > after && step.at <= horizon) points.push(pointOf(step));
  return points;
}

function sourcesOf({ sources: own, isScenario }: Reading, plainSources: string[], stored: string[]): string[] {
  const sources = own ? [...own, ...stored] : plainSources;
  return isScenario ? [...sources, scenarioSource] : sources;
}

/** Returns what JSON.stringify returns for `{objects, meta}` (a test compares them), but stringifies the place of all points only once. */
export function serializePoints(points: readonly AssembledPoint[]): string {
  const placeTexts = new Map<string, string>();
  const texts = points.map(({ timestamp, weather, geo, location, icon, sun_altitude, sources }) => {
    const placeText = placeTexts.get(icon) ?? JSON.stringify({ geo, location, icon }).slice(1, -1);
    placeTexts.set(icon, placeText);
    const begin = `{"timestamp":"${timestamp}","weather":${JSON.stringify(weather)},`;
    return `${begin}${placeText},"sun_altitude":${sun_altitude},"sources":${JSON.stringify(sources)}}`;
  });
  return `{"objects":[${texts.join(',')}],"meta":{}}`;
}
