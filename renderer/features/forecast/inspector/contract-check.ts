// Each field of a WeatherPoint against the interface: what it promises (docs/interface.md §2.3 to §2.5), and whether
// this point keeps it.
import type { ForecastPoint } from '@rainbell/contract/app-rpc';

export type FieldCheck = {
  field: string;
  promise: 'guaranteed' | 'optional' | 'addition';
  /** Section of the interface; null for none. */
  section: string | null;
  /** `broken` and `missing` are deviations; `absent` is allowed. */
  state: 'kept' | 'absent' | 'missing' | 'broken';
  message: string | null;
};

type Rule = Pick<FieldCheck, 'field' | 'promise' | 'section'> & { isThere: (point: ForecastPoint) => boolean };

const rules: readonly Rule[] = [
  { field: 'timestamp', promise: 'guaranteed', section: '§2.3', isThere: ({ timestamp }) => timestamp !== null },
  { field: 'weather.status', promise: 'guaranteed', section: '§2.4', isThere: ({ status }) => status !== null },
  { field: 'geo', promise: 'guaranteed', section: '§2.6', isThere: ({ geo }) => geo !== null },
  { field: 'location', promise: 'optional', section: '§2.5', isThere: ({ location }) => location !== null },
  { field: 'icon', promise: 'guaranteed', section: '§2.3', isThere: ({ iconUrl }) => iconUrl !== null },
  { field: 'sun_altitude', promise: 'guaranteed', section: '§2.3', isThere: ({ sunAltitude }) => sunAltitude !== null },
  { field: 'sources', promise: 'optional', section: '§2.3', isThere: ({ sources }) => sources !== null },
  { field: 'weather.measured', promise: 'addition', section: null, isThere: ({ measured }) => measured !== null },
];

/** One row per field of the interface, then one per deviation that belongs to none of them. */
export function contractChecks(point: ForecastPoint): readonly FieldCheck[] {
  const isAbout = (field: string, problem: string) => problem === field || problem.startsWith(`${field}.`);
  const known = rules.map(({ isThere, ...rule }): FieldCheck => {
    const problem = point.problems.find(({ field }) => isAbout(rule.field, field));
    if (problem) return { ...rule, state: isThere(point) ? 'broken' : 'missing', message: problem.message };
    if (isThere(point)) return { ...rule, state: 'kept', message: null };
    return { ...rule, state: rule.promise === 'guaranteed' ? 'missing' : 'absent', message: null };
  });
  const others = point.problems.filter(({ field }) => !rules.some((rule) => isAbout(rule.field, field)));
  return [
    ...known,
    ...others.map(({ field, message }): FieldCheck => ({
      field,
      promise: 'guaranteed',
      section: '§2.3',
      state: 'broken',
      message,
    })),
  ];
}
