// Reads one WeatherPoint (docs/interface.md §2.3). What is missing or broken becomes null and is named; nothing is made
// up.
import { z } from 'zod';
import {
  bearingDegrees,
  distanceKm,
  geoPointSchema,
  type LatLng,
  latLngSchema,
  locationSchema,
  measuredSchema,
  readableMeasured,
  toLatLng,
} from '@rainbell/contract/service-api';
import type { ContractProblem, ForecastPoint } from '@rainbell/contract/app-rpc';
import { formatInstant, isJsonObject, parseTimestamp, valueAt } from '@rainbell/shared';

type Context = { index: number; query: LatLng; textRange: [number, number] };

export function readPoint(value: unknown, { index, query, textRange }: Context): ForecastPoint {
  const reader = createReader(value);
  if (!reader.isObject) reader.report('', 'The point is not an object.');
  const timestamp = reader.readText('timestamp');
  const instant = readInstant(timestamp, reader);
  const status = reader.readText('weather.status');
  const iconUrl = reader.readText('icon');
  const sunAltitude = reader.read(
    'sun_altitude',
    z.number().min(-90).max(90),
    'sun_altitude is missing or not a number from -90 to 90.',
  );
  const geo = readGeo(reader);
  return {
    index,
    timestamp,
    at: instant,
    status,
    iconName: iconUrl === null ? null : readIconName(iconUrl, reader),
    iconUrl,
    sunAltitude,
    isDay: sunAltitude === null ? null : sunAltitude > 0,
    geo,
    distanceKm: geo && distanceKm(query, geo),
    bearingDegrees: geo && bearingDegrees(query, geo),
    location: reader.readOptional('location', locationSchema, 'location is not an object with country and locality.'),
    sources: reader.readOptional('sources', z.array(z.string()), 'sources is not a list of names.'),
    measured:
      reader.readOptional('weather.measured', measuredSchema, 'weather.measured has a value that is not a number.') ??
      readableMeasured(valueAt(value, ['weather', 'measured'])),
    textRange,
    problems: reader.problems,
  };
}

function readInstant(timestamp: string | null, reader: PointReader): string | null {
  if (timestamp === null) return null;
  const instant = parseTimestamp(timestamp);
  if (instant === undefined) {
    reader.report('timestamp', 'timestamp is not an ISO 8601 date and time.');
    return null;
  }
  if (/(Z|[+-]\d{2}(?::?\d{2})?)$/.test(timestamp)) {
    reader.report('timestamp', 'timestamp has a zone suffix, which the API spec does not use.');
  }
  return formatInstant(instant);
}

function readGeo(reader: PointReader): LatLng | null {
  const point = reader.read('geo', geoPointSchema, 'geo is missing or not a GeoJSON Point.');
  if (!point) return null;
  const place = latLngSchema.safeParse(toLatLng(point));
  if (place.success) return place.data;
  reader.report('geo.coordinates', 'geo.coordinates is out of range; longitude comes first.');
  return null;
}

/** The form is `{base_url}/v2/icons/<icon_name>`. */
function readIconName(iconUrl: string, reader: PointReader): string | null {
  const name = /^https?:\/\/[^/]+(?:\/.*)?\/v2\/icons\/([^/?#]+)$/.exec(iconUrl)?.[1];
  if (name !== undefined) return name;
  reader.report('icon', 'icon is not of the form {base_url}/v2/icons/<icon_name>.');
  return null;
}

type PointReader = ReturnType<typeof createReader>;

function createReader(value: unknown) {
  const problems: ContractProblem[] = [];
  const report = (field: string, message: string) => {
    problems.push({ field, message });
  };
  /** Null, and a problem, if the field is missing or invalid. */
  function read<Schema extends z.ZodType>(path: string, schema: Schema, message: string): z.infer<Schema> | null {
    const result = schema.safeParse(valueAt(value, path.split('.')));
    if (result.success) return result.data;
    report(path, message);
    return null;
  }
  return {
    isObject: isJsonObject(value),
    problems,
    report,
    read,
    readText: (path: string) => read(path, z.string(), `${path} is missing or not a string.`),
    /** Null without a problem if the field is absent. */
    readOptional: <Schema extends z.ZodType>(path: string, schema: Schema, message: string) =>
      valueAt(value, path.split('.')) === undefined ? null : read(path, schema, message),
  };
}
