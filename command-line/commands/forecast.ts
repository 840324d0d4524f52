// `rainbell forecast`: the weather now and for 72 hours (docs/interface.md §4.3), as a table or as the points that the screens show.
import { pick, plural } from '@rainbell/shared';
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { waterOf } from '@rainbell/contract/service-api';
import { readPlace } from '../terminal/arguments.ts';
import { commonOptions, type Command } from '../terminal/command.ts';
import { serviceDetails, serviceOptions } from '../session/credentials.ts';
import { withService } from '../session/service-session.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { tableLines, type Output } from '../terminal/output.ts';

export const forecast: Command = {
  name: 'forecast',
  usage: 'LAT LNG [--json] [--connection NAME | --base-url URL --client-id ID] [--client-secret-stdin] [--data DIR]',
  summary: 'Print the current weather and the 72-hour forecast for a location (LAT and LNG in decimal degrees)',
  details: [
    serviceDetails,
    'With --json: one object {query, timeZone, fetchedAt, points, problems}. Missing values are null and listed in the\n' +
      'point’s problems. Times are RFC 3339 in UTC; measured is in the service’s units (kelvin, m/s, mm of water and mm of snow depth in an hour).',
  ],
  options: { json: commonOptions.json, ...serviceOptions },
  examples: ['forecast 45.07 7.69', 'forecast 45.07 7.69 --base-url https://api.example.com --client-id ID --json'],
  async run(given, context) {
    const place = readPlace(given);
    const reading = await withService(given, context, ({ client }) => client.forecast.get(place));
    if (given.isSet('json')) context.output.printJson(toJson(reading));
    else printForecast(reading, context.output);
    return exitCodes.done;
  },
};

function toJson({ query, timeZone, fetchedAt, points, problems }: Forecast) {
  return {
    query,
    timeZone,
    fetchedAt,
    points: points.map((point) => ({
      ...pick(point, 'at', 'status', 'iconName', 'sunAltitude', 'isDay', 'geo', 'location', 'sources', 'measured'),
      problems: point.problems,
    })),
    problems,
  };
}

const head = ['Time', 'Weather', '°C', 'mm/h', 'Wind m/s', 'Sun °'];

function printForecast({ query, timeZone, points, problems }: Forecast, output: Output): void {
  const parts = { weekday: 'short', day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  const zoned = new Intl.DateTimeFormat('en-GB', { timeZone, ...parts, timeZoneName: 'short' });
  const nameAt = (at: string) => zoned.formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName')?.value;
  // When the clocks go back, two hours have the same time.
  const hasOneName = new Set(points.flatMap(({ at }) => (at === null ? [] : [nameAt(at)]))).size <= 1;
  const time = hasOneName ? new Intl.DateTimeFormat('en-GB', { timeZone, ...parts }) : zoned;
  const { location } = points[0] ?? {};
  const name = [location?.locality, location?.country].filter(Boolean).join(', ');
  output.print(`${name === '' ? '' : `${name}  `}${query.lat}, ${query.lng}  times in ${timeZone}`);
  for (const line of tableLines(
    head,
    points.map((point) => cellsOf(point, time)),
  ))
    output.print(line);
  const sources = new Set(points.flatMap((point) => point.sources ?? []));
  if (sources.size > 0) output.print(`Sources: ${[...sources].join(', ')}`);
  const deviations = [...problems, ...points.flatMap((point) => point.problems)];
  if (deviations.length > 0) {
    const count = plural(deviations.length, ['# deviation from the API spec', '# deviations from the API spec']);
    output.info(`Note: ${count}; the first: ${deviations[0]?.message}`);
  }
}

const unknown = '–';

function cellsOf({ at, status, measured, sunAltitude }: ForecastPoint, time: Intl.DateTimeFormat): string[] {
  const { temperature, wind_speed: wind } = measured ?? {};
  return [
    at === null ? unknown : time.format(new Date(at)),
    status ?? unknown,
    decimal(temperature === undefined ? undefined : temperature - 273.15),
    decimal(waterOf(measured ?? {})),
    decimal(wind),
    decimal(sunAltitude ?? undefined),
  ];
}

function decimal(value: number | undefined): string {
  return value === undefined ? unknown : value.toFixed(1).replace(/^-0\.0$/, '0.0');
}
