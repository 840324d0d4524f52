// Each field of a WeatherPoint against the interface: what it promises (docs/interface.md §2.3 to §2.5), and whether
// this point keeps it.
import type { ForecastPoint } from '@rainbell/contract/app-rpc';
import { formatCoordinates } from '../../../ui/text/durations.ts';
import type { UnitFormat } from '../../../ui/text/units.ts';
import { spokenDirection } from '../../../ui/text/wind-words.ts';
import { formatMeasured } from '../common/format-measured.ts';
import { formatSources } from '../common/shown-sources.ts';

export type FieldCheck = {
  field: string;
  value: string;
  promise: 'guaranteed' | 'optional' | 'addition';
  /** Section of the interface; null for none. */
  section: string | null;
  /** `broken` and `missing` are deviations; `absent` is allowed. */
  state: 'kept' | 'absent' | 'missing' | 'broken';
  message: string | null;
};

type Rule = Pick<FieldCheck, 'field' | 'promise' | 'section'> & {
  /** Null if it was not sent. */
  read: (point: ForecastPoint, units: UnitFormat) => string | null;
};

const rules: readonly Rule[] = [
  {
    field: 'timestamp',
    promise: 'guaranteed',
    section: '§2.3',
    read: ({ timestamp }) => timestamp && `${timestamp} (as sent, UTC)`,
  },
  { field: 'weather.status', promise: 'guaranteed', section: '§2.4', read: ({ status }) => status },
  { field: 'geo', promise: 'guaranteed', section: '§2.6', read: formatGeo },
  {
    field: 'location',
    promise: 'optional',
    section: '§2.5',
    read: ({ location }) =>
      location &&
      ([location.locality, location.country].filter((word) => word !== undefined).join(', ') || 'an empty object'),
  },
  {
    field: 'icon',
    promise: 'guaranteed',
    section: '§2.3',
    read: ({ iconName, iconUrl }) => iconUrl && (iconName ?? iconUrl),
  },
  { field: 'sun_altitude', promise: 'guaranteed', section: '§2.3', read: formatSun },
  { field: 'sources', promise: 'optional', section: '§2.3', read: ({ sources }) => sources && formatSources(sources) },
  {
    field: 'weather.measured',
    promise: 'addition',
    section: null,
    read: ({ measured }, units) => measured && formatMeasured(measured, units),
  },
];

/** One row per field of the interface, then one per deviation that belongs to none of them. */
export function contractChecks(point: ForecastPoint, units: UnitFormat): readonly FieldCheck[] {
  const isAbout = (field: string, problem: string) => problem === field || problem.startsWith(`${field}.`);
  const known = rules.map(({ read, ...rule }): FieldCheck => {
    const text = read(point, units);
    const problem = point.problems.find(({ field }) => isAbout(rule.field, field));
    const absent = rule.promise === 'guaranteed' || problem ? 'missing' : 'absent';
    return {
      ...rule,
      value: text ?? 'not sent',
      state: text === null ? absent : problem ? 'broken' : 'kept',
      message: problem?.message ?? null,
    };
  });
  const others = point.problems.filter(({ field }) => !rules.some((rule) => isAbout(rule.field, field)));
  const rest = { value: '', promise: 'guaranteed', section: '§2.3', state: 'broken' } as const;
  return [...known, ...others.map((problem): FieldCheck => ({ ...rest, ...problem }))];
}

function formatGeo({ geo, distanceKm, bearingDegrees }: ForecastPoint): string | null {
  if (geo === null || distanceKm === null) return geo && formatCoordinates(geo);
  return `${formatCoordinates(geo)} · ${distanceFromQuery(distanceKm, bearingDegrees)}`;
}

/** `2.1 km east of the requested location`; under 50 m the grid point is the place itself. */
function distanceFromQuery(km: number, bearingDegrees: number | null): string {
  if (km < 0.05) return 'the requested location';
  const distance = km < 10 ? km.toFixed(1) : String(Math.round(km));
  return bearingDegrees === null
    ? `${distance} km from the requested location`
    : `${distance} km ${spokenDirection(bearingDegrees)} of the requested location`;
}

function formatSun({ sunAltitude, isDay }: ForecastPoint): string | null {
  if (sunAltitude === null) return null;
  const altitude = `${String(sunAltitude).replace('-', '−')}°`;
  if (isDay === null) return altitude;
  return isDay ? `${altitude} · day` : `${altitude} · night`;
}
