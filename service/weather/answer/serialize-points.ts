// The body of the weather answer as text, byte for byte what JSON.stringify makes of `{objects, meta}` (a test holds it to
// that), in a fraction of the time: what many points share is turned into text once.
import { statuses } from '#contract/service-api/vocabulary.ts';
import type { Measured, WeatherPoint, WeatherPointField } from '#contract/service-api/weather.ts';
import { numberText } from './number-text.ts';

/** The fields that serializePoints writes. */
type WrittenField = 'timestamp' | 'weather' | 'geo' | 'location' | 'icon' | 'sun_altitude' | 'sources';

/** A point without any field that would not be written: a new field of the schema does not compile until it is. */
type WrittenPoint = Pick<WeatherPoint, WrittenField> & Partial<Record<Exclude<WeatherPointField, WrittenField>, never>>;

/** Behind a timestamp. */
const statusTexts: ReadonlyMap<string, string> = new Map(statuses.map((status) => [status, statusText(status)]));

function statusText(status: string): string {
  return `","weather":{"status":${JSON.stringify(status)}`;
}

/**
 * `points` as assemble-points.ts makes them: plain values, finite numbers, members in the order of docs/interface.md
 * §2.3.
 */
export function serializePoints(points: readonly WrittenPoint[]): string {
  const placeText = placeWriter();
  const measuredText = measuredWriter();
  const sourcesText = rememberingLast((sources: WeatherPoint['sources']) =>
    sources === undefined ? '}' : `,"sources":${JSON.stringify(sources)}}`,
  );
  let text = '{"objects":[';
  let begin = '{"timestamp":"';
  for (const point of points) {
    const { status, measured } = point.weather;
    text += begin + point.timestamp;
    text += statusTexts.get(status) ?? statusText(status);
    if (measured !== undefined) text += measuredText(measured);
    text += placeText(point) + numberText(point.sun_altitude) + sourcesText(point.sources);
    begin = ',{"timestamp":"';
  }
  return `${text}],"meta":{}}`;
}

/** What stands between the weather and the sun's altitude: the points of an answer differ there in their icon alone. */
function placeWriter(): (point: WrittenPoint) => string {
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

/** A member at its place in `measured`: its name as text, and the value that it had last with the text of both. */
type Member = { name: string; begin: string; value: number; text: string };

/** Writes `measured`. The names are ours and the values finite numbers, so nothing needs escaping. */
function measuredWriter(): (measured: Measured) => string {
  // Readings of one provider have the same members in the same order, and many a value stays from hour to hour.
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

/** Neighbouring points share these objects, so comparing with the last one is enough. */
function rememberingLast<Value>(write: (value: Value) => string): (value: Value) => string {
  let last: { value: Value; text: string } | undefined;
  return (value) => {
    if (last === undefined || last.value !== value) last = { value, text: write(value) };
    return last.text;
  };
}
