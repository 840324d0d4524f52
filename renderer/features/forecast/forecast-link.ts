// The forecast in a link: `#/forecast?lat=45.07&lng=7.69&at=2026-11-22T14:00:00Z&zone=utc&tab=headers`, or a comparison
// `#/forecast?a=fetch:12&b=45.07,7.69&more=fetch:7`.
import type { AppState } from '../../store/app-state.ts';
import { choiceField, flagField, linkCodec, type LinkCodec, type LinkField } from '../../store/link-codec.ts';
import { screenLink } from '../../store/screen-link.ts';
import { shownZone } from '../../store/shown.ts';
import { parseDegrees, writeDegrees } from '@rainbell/shared';
import { inspectorTabs } from './common/forecast-slice.ts';
import { type CompareSide, maxSides, readSide, writeSide } from './compare/compare-side.ts';

const views = ['place', 'saved'] as const;

const fields = linkCodec({
  lat: degreesField('lat', (text) => `“${text}” must be a latitude from −90 to 90.`),
  lng: degreesField('lng', (text) => `“${text}” must be a longitude from −180 to 180.`),
  a: sideField(),
  b: sideField(),
  more: sidesField(),
  view: choiceField(views, 'place'),
  at: timeField(),
  table: flagField,
  tab: choiceField(inspectorTabs, null),
  zone: choiceField(['place', 'mine', 'utc'] as const, null),
});
type Fields = ReturnType<typeof fields.parse>['value'];

/** A place needs both coordinates, and a comparison both sides. */
export const forecastCodec: LinkCodec<Fields> = {
  parse(parts) {
    const { value, problems } = fields.parse(parts);
    const { query } = parts;
    const halves = [
      ...halfProblem(query, 'lat', 'lng'),
      ...halfProblem(query, 'a', 'b'),
      ...(query.has('more') && !query.has('a') ? ['“more” needs “a” and “b”.'] : []),
    ];
    return {
      value: {
        ...value,
        ...(value.lat === null || value.lng === null ? { lat: null, lng: null } : {}),
        ...(value.a === null || value.b === null ? { a: null, b: null, more: [] } : {}),
      },
      problems: [...problems, ...halves],
    };
  },
  format: fields.format,
};

export const forecastLink = screenLink<Fields>({
  codec: forecastCodec,
  read({ forecast, compare, board, ...state }: AppState) {
    const point = forecast.forecast?.points[forecast.cursor];
    const at = forecast.wanted ?? (forecast.cursor === 0 ? null : (point?.at ?? null));
    return {
      lat: forecast.query?.lat ?? null,
      lng: forecast.query?.lng ?? null,
      a: compare.sides?.[0] ?? null,
      b: compare.sides?.[1] ?? null,
      more: compare.sides?.slice(2) ?? [],
      view: board.isOpen ? 'saved' : 'place',
      at: at === null ? null : new Date(at).toISOString().replace('.000Z', 'Z'),
      table: forecast.isTable,
      // Without one, the pane stays as the reader left it.
      tab: forecast.isPaneOpen ? forecast.tab : null,
      zone: shownZone({ forecast, compare, board, ...state }),
    };
  },
  open({ forecast, compare, board, settings }, { lat, lng, a, b, more, view, at, table, tab, zone }, origin) {
    if (lat !== null && lng !== null) forecast.openPlace({ lat, lng });
    forecast.openPoint(at);
    if (table !== forecast.isTable) forecast.toggleTable();
    if (tab !== null) {
      forecast.showTab(tab);
      forecast.openPane(true);
    }
    if ((view === 'saved') !== board.isOpen) board.toggle(view === 'saved');
    if (a === null || b === null) compare.close();
    else if (!isSame(compare.sides ?? [], [a, b, ...more])) void compare.open([a, b, ...more]);
    // Back returns to a place, not to the zone of that time.
    if (zone !== null && origin !== 'history') settings.showZone(zone === settings.values.zone ? null : zone);
  },
  isStep(before, after) {
    const isOtherPlace = before.lat !== null && (before.lat !== after.lat || before.lng !== after.lng);
    const isOtherComparison = !isSame([before.a, before.b, ...before.more], [after.a, after.b, ...after.more]);
    return isOtherPlace || isOtherComparison || before.view !== after.view;
  },
});

function isSame(one: readonly (CompareSide | null)[], other: readonly (CompareSide | null)[]): boolean {
  const write = (sides: readonly (CompareSide | null)[]) => sides.map((side) => side && writeSide(side)).join(';');
  return write(one) === write(other);
}

function halfProblem(query: URLSearchParams, one: string, other: string): readonly string[] {
  if (query.has(one) === query.has(other)) return [];
  return query.has(one) ? [`“${one}” needs “${other}”.`] : [`“${other}” needs “${one}”.`];
}

function degreesField(of: 'lat' | 'lng', problem: (text: string) => string): LinkField<number | null> {
  return {
    absent: null,
    problem,
    parse(text) {
      const parsed = parseDegrees(text, of);
      return parsed.ok ? parsed.value : undefined;
    },
    format: (value) => (value === null ? null : writeDegrees(value)),
  };
}

function sideField(): LinkField<CompareSide | null> {
  return {
    absent: null,
    problem: (text) => `“${text}” must be a place such as 45.07,7.69 or a stored forecast such as fetch:12.`,
    parse: readSide,
    format: (side) => (side === null ? null : writeSide(side)),
  };
}

/** The third side and those after it. */
function sidesField(): LinkField<readonly CompareSide[]> {
  return {
    absent: [],
    problem: (text) => `“${text}” must list at most ${maxSides - 2} places or stored forecasts, separated by “;”.`,
    parse(text) {
      const sides = text.split(';').map(readSide);
      const isReadable = sides.every((side) => side !== undefined) && sides.length <= maxSides - 2;
      return isReadable ? sides.filter((side) => side !== undefined) : undefined;
    },
    format: (sides) => (sides.length === 0 ? null : sides.map(writeSide).join(';')),
  };
}

/** Formats a time in UTC, to the millisecond at most. */
function timeField(): LinkField<string | null> {
  return {
    absent: null,
    problem: (text) => `“${text}” must be a time in UTC such as 2026-11-22T14:00:00Z.`,
    parse: (text) =>
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined,
    format: (value) => value,
  };
}
