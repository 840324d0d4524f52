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
  type Measured,
  statuses,
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

// Serializes the weather response exactly as JSON.stringify does for `{objects, meta}` (a test compares them, for each field of the
// schema), in a fraction of the time: text shared by many points is built once.

const statusTexts: ReadonlyMap<string, string> = new Map(statuses.map((status) => [status, statusText(status)]));

function statusText(status: string): string {
  return `","weather":{"status":${JSON.stringify(status)}`;
}

/** `points` as built above: plain values, finite numbers, members in the order of docs/interface.md §2.3. */
export function serializePoints(points: readonly WeatherPoint[]): string {
  const placeText = placeWriter();
  const measuredText = measuredWriter();
  const sourcesText = rememberingLast((sources: WeatherPoint['sources']) =>
    sources === undefined ? '' : `,"sources":${JSON.stringify(sources)}`,
  );
  let text = '{"objects":[';
  let begin = '{"timestamp":"';
  for (const point of points) {
    const { status, measured } = point.weather;
    text += begin + point.timestamp;
    text += statusTexts.get(status) ?? statusText(status);
    if (measured !== undefined) text += measuredText(measured);
    text += placeText(point) + numberText(point.sun_altitude) + sourcesText(point.sources);
    begin = '},{"timestamp":"';
  }
  return `${text}${points.length === 0 ? '' : '}'}],"meta":{}}`;
}

/** Writes what follows the weather up to the sun's altitude: there, the points of a response differ only in their icon. */
function placeWriter(): (point: WeatherPoint) => string {
  let last: Pick<WeatherPoint, 'geo' | 'location'> | undefined;
  const known = new Map<string, string>();
  return (point) => {
    const { geo, location, icon } = point;
    if (last === undefined || last.geo !== geo || last.location !== location) {
      known.clear();
      last = point;
    }
    let text = known.get(icon);
    if (text === undefined) {
      const located = location === undefined ? '' : `,"location":${JSON.stringify(location)}`;
      text = `},"geo":${JSON.stringify(geo)}${located},"icon":${JSON.stringify(icon)},"sun_altitude":`;
      known.set(icon, text);
    }
    return text;
  };
}

/** A member at its position in `measured`: its name as text, and its last value with the text of both. */
type Member = { name: string; begin: string; value: number; text: string };

/** Writes `measured`. The names are ours and the values finite numbers, so nothing needs escaping. */
function measuredWriter(): (measured: Measured) => string {
  // A provider's readings have the same members in the same order, and many values repeat from hour to hour.
  const known: Member[] = [];
  return (measured) => {
    let text = ',"measured":{';
    let place = 0;
    for (const name in measured) {
      const value: unknown = measured[name];
      if (typeof value !== 'number' || !Number.isFinite(value)) continue;
      let member = known[place];
      if (member === undefined || member.name !== name) {
        member = { name, begin: `${place === 0 ? '' : ','}"${name}":`, value: Number.NaN, text: '' };
        known[place] = member;
      }
      if (member.value !== value) {
        member.value = value;
        member.text = member.begin + numberText(value);
      }
      text += member.text;
      place += 1;
    }
    return `${text}}`;
  };
}

/** Adjacent points share these objects, so comparing with the last one is enough. */
function rememberingLast<Value>(write: (value: Value) => string): (value: Value) => string {
  let last: { value: Value; text: string } | undefined;
  return (value) => {
    if (last === undefined || last.value !== value) last = { value, text: write(value) };
    return last.text;
  };
}

// Formats numbers as JSON does, but faster: providers send at most two decimals, and joining two known texts takes a third of the
// time of finding a double's shortest digits. A test compares it with JSON.stringify.

const centsTexts = Array.from({ length: 100 }, (_, cents) => String(cents / 100).slice(1));
/** Pressures and degrees stay below. */
const wholeTexts = Array.from({ length: 2_000 }, (_, whole) => String(whole));

export function numberText(value: number): string {
  const size = value < 0 ? -value : value;
  const cents = Math.round(size * 100);
  // Equal doubles have the same shortest text, so this is it.
  if (cents / 100 !== size) return String(value);
  const whole = Math.floor(cents / 100);
  const wholeText = wholeTexts[whole];
  if (wholeText === undefined) return String(value);
  const text = wholeText + centsTexts[cents - whole * 100];
  return value < 0 ? `-${text}` : text;
}
