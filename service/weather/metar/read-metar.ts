// Parses METARs from aviationweather.gov as JSON. Keys are missing or null, numbers may be text, `wdir` may be "VRB", `obsTime` is
// Unix seconds. A row without station, place, or time is skipped; any other odd value is a missing one.
import { z } from 'zod';
import { measuredOf, asNumber, inUnit, instantOfUnixSeconds } from '../reading/provider-values.ts';
import type { Observation } from '../reading/reading.ts';
import { isFalling, precipitationOf, statusOfReport } from './metar-status.ts';

const word = z.string().optional().catch(undefined);
const degrees = (limit: number) => z.preprocess(asNumber, z.number().min(-limit).max(limit));

const rowSchema = z.looseObject({
  icaoId: z.string().regex(/^[A-Z0-9]{3,5}$/),
  lat: degrees(90),
  lon: degrees(180),
  // `reportTime` is rounded to the hour; only `obsTime` is the time of the observation.
  obsTime: z.number(),
  wxString: word,
  rawOb: word,
  cover: word,
  clouds: z.array(z.object({ cover: word }).catch({})).catch([]),
});
type Row = z.infer<typeof rowSchema>;

/** Returns all valid rows, or an empty list if there are no stations; undefined if the body is not a list. */
export function readMetars(body: unknown): Observation[] | undefined {
  if (body === undefined || body === null) return [];
  if (!Array.isArray(body)) return undefined;
  return body.flatMap((row: unknown) => {
    const parsed = rowSchema.safeParse(row);
    return parsed.success ? readRow(parsed.data) : [];
  });
}

function readRow(row: Row): Observation[] {
  const at = instantOfUnixSeconds(row.obsTime);
  if (at === undefined) return [];
  const windMetresPerSecond = inUnit('wind_speed', row['wspd'], 'kt');
  const temperature = inUnit('temperature', row['temp'], '°C');
  const dewPoint = inUnit('dew_point', row['dewp'], '°C');
  const groups = row.wxString;
  const status = statusOfReport({ groups, cover: coverOf(row), windMetresPerSecond });
  const isWindy = windMetresPerSecond !== undefined && windMetresPerSecond > 0;
  return [
    {
      station: row.icaoId,
      place: { lat: row.lat, lng: row.lon },
      at,
      status,
      isPrecipitating: isFalling(groups),
      precipitation: precipitationOf(groups, row.rawOb ?? ''),
      ...(groups === undefined ? {} : { groups }),
      ...measuredOf({
        temperature,
        dew_point: dewPoint,
        humidity: humidityOf(temperature, dewPoint),
        pressure: inUnit('pressure', row['slp'], 'hPa') ?? inUnit('pressure', row['altim'], 'hPa'),
        wind_speed: windMetresPerSecond,
        // Calm wind has no direction, and a variable one ("VRB") has no number.
        wind_direction: isWindy ? inUnit('wind_direction', row['wdir'], '°') : undefined,
      }),
    },
  ];
}

/** Vapor pressure over saturation pressure, by the Magnus formula (Alduchov and Eskridge, 1996); a forecast's is of other air. */
function humidityOf(temperature: number | undefined, dewPoint: number | undefined): number | undefined {
  if (temperature === undefined || dewPoint === undefined) return undefined;
  const exponent = (kelvin: number) => (17.625 * (kelvin - 273.15)) / (kelvin - 273.15 + 243.04);
  return inUnit('humidity', 100 * Math.exp(exponent(dewPoint) - exponent(temperature)), '%');
}

const coversByAmount = ['CLR', 'SKC', 'NSC', 'NCD', 'CAVOK', 'FEW', 'SCT', 'BKN', 'OVC', 'OVX', 'VV'];

/** Returns the row's own cover, otherwise that of its thickest layer. */
function coverOf({ cover, clouds }: Row): string | undefined {
  if (cover !== undefined && cover !== '') return cover;
  const covers = clouds.map((layer) => coversByAmount.indexOf(layer.cover ?? ''));
  return coversByAmount[Math.max(-1, ...covers)];
}
