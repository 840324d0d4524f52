// The precipitation of a forecast as a calendar (RFC 5545) and as a text that can be sent to someone without Rainbell.
import ical from 'ical-generator';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { attributions } from '#shared/attributions.ts';
import type { UnitFormat } from '#renderer/ui/text/units.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { wetSpells } from './common/runs.ts';
import { precipitationName, summarySentence } from './common/summary.ts';
import { serviceNow, timelineModel } from './common/timeline-model.ts';

type Context = { forecast: Forecast; placeName: string; times: ZonedTimes; units: UnitFormat };

/** One event per run of precipitation, in UTC, so that every calendar shows it in its own zone. */
export function rainCalendar({ forecast, placeName, times, units }: Context): string {
  const model = timelineModel(forecast, times);
  const calendar = ical({ name: `Precipitation in ${placeName}`, prodId: '-//Rainbell//Forecast//EN' });
  const { lat, lng } = forecast.query;
  for (const spell of model ? wetSpells(model) : []) {
    const name = precipitationName(spell);
    const amount = spell.amount === null ? '' : `, ${units.precipitation.text(spell.amount)}`;
    calendar.createEvent({
      // The same run of a later fetch takes the place of this one.
      id: `precipitation-${spell.from}-${lat}-${lng}@rainbell`,
      stamp: new Date(forecast.fetchedAt),
      start: new Date(spell.from),
      end: new Date(spell.until),
      summary: `${name.charAt(0).toUpperCase()}${name.slice(1)}${amount}`,
      location: { title: placeName, geo: { lat, lon: lng } },
      description: `Forecast from ${forecast.connectionName}, fetched ${forecast.fetchedAt}. ${credits(forecast)}`,
    });
  }
  return calendar.toString();
}

/** What the forecast says, in plain text: place, current weather, summary, when and from where, and the link. */
export function forecastText({ forecast, placeName, times, units }: Context, now: number, link: string): string {
  const model = timelineModel(forecast, times);
  const [point] = forecast.points;
  const temperature = point?.measured?.temperature;
  const current = [
    ...(point?.status ? [point.status] : []),
    ...(temperature === undefined ? [] : [units.temperature.text(temperature)]),
  ].join(', ');
  const fetchedAt = Date.parse(forecast.fetchedAt);
  return [
    `Forecast for ${placeName}`,
    ...(current === '' ? [] : [`Now: ${current}`]),
    ...(model ? [`${summarySentence(model, { times, units, now: serviceNow(forecast, now) })}.`] : []),
    `Fetched ${times.dayClock(fetchedAt)} ${times.zoneName(fetchedAt)} from ${forecast.connectionName}. ${credits(forecast)}`,
    link,
  ].join('\n');
}

/** Whose data it is, as their licenses ask for it. */
export function credits({ points }: Forecast): string {
  const sources = new Set(points.flatMap((point) => point.sources ?? []));
  return attributions
    .filter(({ match }) => match !== null && [...sources].some((source) => match.test(source)))
    .map(({ credit, licence }) => `${credit} (${licence}).`)
    .join(' ');
}
