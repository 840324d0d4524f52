// Converts one cell's weather to the points of the response (docs/interface.md §2.3, §4.3): now first, then ascending steps up to
// 72 hours ahead. Pure.
import { createCache } from '../../cache/create-cache.ts';
import {
  forecastHorizonHours,
  iconName,
  type Location,
  type Status,
  toGeoPoint,
  type WeatherPoint,
  type WeatherPointField,
} from '@rainbell/contract/service-api';
import { formatTimestamp } from '@rainbell/shared';
import { type CellWeather, type Reading, presentReading } from '../reading/reading.ts';
import { scenarioSource } from '../sources/scenarios.ts';
import { sunOver, sunTermsAt, type SunTerms } from '../reading/sun.ts';

const hourMs = 3_600_000;
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

/** The timestamp of a time, and the sun's position then. */
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
  // Shared by the points, so that the serializer can detect that they are the same.
  const geo = toGeoPoint(weather.grid);
  const stored = weather.isStored ? [storedSource] : [];
  const plainSources = [weather.source, ...stored];
  const altitudeOf = sunOver(weather.grid);
  const iconOf = createIconAddresses(baseUrl);
  const pointOf = (reading: Reading): AssembledPoint => {
    const { timestamp, sun } = termsOf(reading.at);
    const { status, measured } = reading;
    const sun_altitude = altitudeOf(sun);
    const words = measured ? { status, measured } : { status };
    const icon = iconOf(status, sun_altitude);
    const sources = sourcesOf(reading, plainSources, stored);
    // Written out, because spreading objects into one another takes longer than everything else.
    if (location) return { timestamp, weather: words, geo, location, icon, sun_altitude, sources };
    return { timestamp, weather: words, geo, icon, sun_altitude, sources };
  };
  const points = present ? [pointOf(present)] : [];
  for (const step of weather.steps) if (step.at > after && step.at <= horizon) points.push(pointOf(step));
  return points;
}

/** Builds each URL once, because that is most of the work. */
function createIconAddresses(baseUrl: string): (status: Status, altitude: number) => string {
  const known = new Map<string, string>();
  return (status, altitude) => {
    const name = iconName(status, altitude);
    let address = known.get(name);
    if (address === undefined) {
      address = `${baseUrl}/v2/icons/${name}`;
      known.set(name, address);
    }
    return address;
  };
}

function sourcesOf({ sources: own, isScenario }: Reading, plainSources: string[], stored: string[]): string[] {
  const sources = own ? [...own, ...stored] : plainSources;
  return isScenario ? [...sources, scenarioSource] : sources;
}
