// The forecast in a link: `#/forecast?lat=45.07&lng=7.69&at=2026-11-22T14:00:00Z&zone=utc&tab=headers`, or a comparison
// `#/forecast?compare=fetch:12;45.07,7.69;fetch:7`.
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
  compare: sidesField(),
  view: choiceField(views, 'place'),
  at: timeField(),
  table: flagField,
  tab: choiceField(inspectorTabs, null),
  zone: choiceField(['place', 'mine', 'utc'] as const, null),
});
type Fields = ReturnType<typeof fields.parse>['value'];

/** A place needs both coordinates. */
export const forecastCodec: LinkCodec<Fields> = {
  parse(parts) {
    const { value, problems } = fields.parse(parts);
    const hasPlace = value.lat !== null && value.lng !== null;
    return {
      value: { ...value, ...(hasPlace ? {} : { lat: null, lng: null }) },
      problems: [...problems, ...halfProblem(parts.query)],
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
      compare: compare.sides ?? [],
      view: board.isOpen ? 'saved' : 'place',
      at: at === null ? null : new Date(at).toISOString().replace('.000Z', 'Z'),
      table: forecast.isTable,
      // Without one, the pane stays as the reader left it.
      tab: forecast.isPaneOpen ? forecast.tab : null,
      zone: shownZone({ forecast, compare, board, ...state }),
    };
  },
  open({ forecast, compare, board, settings }, { lat, lng, compare: sides, view, at, table, tab, zone }, origin) {
    if (lat !== null && lng !== null) forecast.openPlace({ lat, lng });
    forecast.openPoint(at);
    if (table !== forecast.isTable) forecast.toggleTable();
    if (tab !== null) {
      forecast.showTab(tab);
      forecast.openPane(true);
    }
    if ((view === 'saved') !== board.isOpen) board.toggle(view === 'saved');
    if (sides.length === 0) compare.close();
    else if (!isSame(compare.sides ?? [], sides)) void compare.open(sides);
    // Back returns to a place, not to the zone of that time.
    if (zone !== null && origin !== 'history') settings.showZone(zone === settings.values.zone ? null : zone);
  },
  isStep(before, after) {
    const isOtherPlace = before.lat !== null && (before.lat !== after.lat || before.lng !== after.lng);
    return isOtherPlace || !isSame(before.compare, after.compare) || before.view !== after.view;
  },
});

function isSame(one: readonly CompareSide[], other: readonly CompareSide[]): boolean {
  return one.map(writeSide).join(';') === other.map(writeSide).join(';');
}

function halfProblem(query: URLSearchParams): readonly string[] {
  if (query.has('lat') === query.has('lng')) return [];
  return query.has('lat') ? ['“lat” needs “lng”.'] : ['“lng” needs “lat”.'];
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

function sidesField(): LinkField<readonly CompareSide[]> {
  return {
    absent: [],
    problem: (text) =>
      `“${text}” must be 2 to ${maxSides} places such as 45.07,7.69 or stored forecasts such as fetch:12, separated by “;”.`,
    parse(text) {
      const sides = text.split(';').map(readSide);
      const readable = sides.filter((side) => side !== undefined);
      return readable.length === sides.length && sides.length >= 2 && sides.length <= maxSides ? readable : undefined;
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
