// The body of the weather answer as text, byte for byte what JSON.stringify makes of `{objects, meta}` (a test holds it to
// that), in a fraction of the time: what many points share is turned into text once.
import { statuses } from '#contract/vocabulary.ts';
import type { Measured, WeatherPoint } from '#contract/weather.ts';

const statusTexts: ReadonlyMap<string, string> = new Map(statuses.map((status) => [status, JSON.stringify(status)]));

/** `points` as assemble-points.ts makes them: plain values, finite numbers, members in the order of §2.3. */
export type Serialiser = (points: readonly WeatherPoint[]) => string;

/** One per service: it remembers the text of measured values, which are the same in each answer until a provider has new ones. */
export function createSerialiser(): Serialiser {
  const measuredTexts = new WeakMap<Measured, string>();
  return (points) =>
    serialisePoints(points, (measured) => {
      let text = measuredTexts.get(measured);
      if (text === undefined) {
        text = measuredText(measured);
        measuredTexts.set(measured, text);
      }
      return text;
    });
}

function serialisePoints(points: readonly WeatherPoint[], textOf: (measured: Measured) => string): string {
  const geoText = rememberingLast((geo: WeatherPoint['geo']) => `},"geo":${JSON.stringify(geo)}`);
  const locationText = rememberingLast((location: WeatherPoint['location']) =>
    location === undefined ? ',"icon":' : `,"location":${JSON.stringify(location)},"icon":`,
  );
  const sourcesText = rememberingLast((sources: WeatherPoint['sources']) =>
    sources === undefined ? '}' : `,"sources":${JSON.stringify(sources)}}`,
  );
  const iconTexts = new Map<string, string>();
  let text = '{"objects":[';
  let separator = '{"timestamp":"';
  for (const point of points) {
    const { status, measured } = point.weather;
    let icon = iconTexts.get(point.icon);
    if (icon === undefined) {
      icon = `${JSON.stringify(point.icon)},"sun_altitude":`;
      iconTexts.set(point.icon, icon);
    }
    text +=
      separator +
      point.timestamp +
      '","weather":{"status":' +
      (statusTexts.get(status) ?? JSON.stringify(status)) +
      (measured === undefined ? '' : textOf(measured)) +
      geoText(point.geo) +
      locationText(point.location) +
      icon +
      point.sun_altitude +
      sourcesText(point.sources);
    separator = ',{"timestamp":"';
  }
  return `${text}],"meta":{}}`;
}

/** The names are ours and the values finite numbers, so nothing needs escaping. */
function measuredText(measured: Measured): string {
  let text = ',"measured":{';
  let separator = '"';
  for (const name in measured) {
    const value: unknown = measured[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    text += `${separator}${name}":${value}`;
    separator = ',"';
  }
  return `${text}}`;
}

/** Neighbouring points share these objects, so comparing with the last one is enough. */
function rememberingLast<Value>(write: (value: Value) => string): (value: Value) => string {
  let last: { value: Value; text: string } | undefined;
  return (value) => {
    if (last === undefined || last.value !== value) last = { value, text: write(value) };
    return last.text;
  };
}
