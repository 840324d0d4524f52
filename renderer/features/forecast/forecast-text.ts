// The forecast as a text that can be sent to someone without Rainbell.
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { attributions } from '#shared/attributions.ts';
import type { UnitFormat } from '#renderer/ui/text/units.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { summarySentence } from './common/summary.ts';
import { serviceNow, timelineModel } from './common/timeline-model.ts';

type Context = { forecast: Forecast; placeName: string; times: ZonedTimes; units: UnitFormat };

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
