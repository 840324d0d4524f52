// Serializes the weather response exactly as JSON.stringify does for `{objects, meta}` (a test compares them), in a fraction of the
// time: text shared by many points is built once. The fields follow the schema: new ones are written too, but more slowly.
import { z } from 'zod';
import { type Measured, statuses, type WeatherPoint, weatherPointSchema } from '@rainbell/contract/service-api';
import { numberText } from './number-text.ts';

/** The fields written here by name; `laterWriter` writes all others. */
const namedFields: readonly string[] = ['timestamp', 'weather', 'geo', 'location', 'icon', 'sun_altitude', 'sources'];
const namedInWeather: readonly string[] = ['status', 'measured'];

/** Text after a timestamp. */
const statusTexts: ReadonlyMap<string, string> = new Map(statuses.map((status) => [status, statusText(status)]));

function statusText(status: string): string {
  return `","weather":{"status":${JSON.stringify(status)}`;
}

/** `points` as built by assemble-points.ts: plain values, finite numbers, members in the order of docs/interface.md §2.3. */
export const serializePoints = createPointSerializer(weatherPointSchema);

export function createPointSerializer<Point extends WeatherPoint>(
  schema: z.ZodType<Point> & { shape: z.core.$ZodShape },
): (points: readonly Point[]) => string {
  const { weather } = schema.shape;
  const laterInWeather = laterWriter(weather instanceof z.ZodObject ? weather.shape : {}, namedInWeather);
  const laterInPoint = laterWriter(schema.shape, namedFields);
  return (points) => {
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
      if (laterInWeather) text += laterInWeather(point.weather);
      text += placeText(point) + numberText(point.sun_altitude) + sourcesText(point.sources);
      if (laterInPoint) text += laterInPoint(point);
      begin = '},{"timestamp":"';
    }
    return `${text}${points.length === 0 ? '' : '}'}],"meta":{}}`;
  };
}

/** Writes the schema's members without a dedicated writer; undefined if there are none. */
function laterWriter(shape: z.core.$ZodShape, named: readonly string[]): ((value: object) => string) | undefined {
  const later = Object.keys(shape).filter((name) => !named.includes(name));
  if (later.length === 0) return undefined;
  return (value) => {
    const members = later.flatMap((name) => {
      const text = JSON.stringify((value as Record<string, unknown>)[name]) as string | undefined;
      return text === undefined ? [] : [`,${JSON.stringify(name)}:${text}`];
    });
    return members.join('');
  };
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
