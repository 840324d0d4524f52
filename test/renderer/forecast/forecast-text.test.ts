// The forecast as a text to send.
import { describe, expect, it } from 'vitest';
import { forecastText } from '#renderer/features/forecast/forecast-text.ts';
import { createUnitFormat, unitPresets } from '#renderer/ui/text/units.ts';
import { zonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { forecastOf, pointsOf, start } from './forecast-points.ts';

const statuses = ['cloudy', 'rainy', 'rainy', 'cloudy', 'snowy', 'cloudy'];
const forecast = forecastOf(
  pointsOf(start, statuses, (point) => ({
    ...point,
    sources: ['open-meteo'],
    measured: { temperature: 280.15, rainfall: point.status === 'rainy' ? 1.2 : 0 },
  })),
);
const context = {
  forecast,
  placeName: 'Torino; Piazza, Italy',
  times: zonedTimes('Europe/Rome'),
  units: createUnitFormat(unitPresets.Metric, 'en-GB'),
};

describe('the text of a forecast', () => {
  it('says place, weather, summary, time with zone, source with license, and the link', () => {
    expect(forecastText(context, start, 'rainbell://forecast?lat=45&lng=7')).toBe(
      [
        'Forecast for Torino; Piazza, Italy',
        'Now: cloudy, 7.0 °C',
        'Dry until 02:00, then rain until 04:00, 2.4 mm; snow Saturday 05:00 to 06:00.',
        'Fetched Sat 21 Nov, 01:00 CET from Sandbox. Weather data by Open-Meteo.com (CC BY 4.0).',
        'rainbell://forecast?lat=45&lng=7',
      ].join('\n'),
    );
  });
});
