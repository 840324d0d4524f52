// The forecast as a calendar and as a text to send; read here by the rules of RFC 5545, not by the library that writes it.
import { describe, expect, it } from 'vitest';
import { forecastText, rainCalendar } from '#renderer/features/forecast/forecast-calendar.ts';
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

/** Unfolded lines of each event. */
function eventsOf(text: string): Record<string, string>[] {
  const lines = text.replaceAll('\r\n ', '').split('\r\n');
  return text
    ? lines
        .join('\n')
        .split('BEGIN:VEVENT\n')
        .slice(1)
        .map((event) =>
          Object.fromEntries(
            event.split('\n').map((line) => [line.split(/[:;]/)[0], line.slice(line.indexOf(':') + 1)]),
          ),
        )
    : [];
}

describe('the calendar of a forecast', () => {
  it('has an event per run of precipitation, in UTC, with its amount', () => {
    const events = eventsOf(rainCalendar(context));
    expect(events).toMatchObject([
      {
        SUMMARY: 'Rain\\, 2.4 mm',
        DTSTART: '20261121T010000Z',
        DTEND: '20261121T030000Z',
        DTSTAMP: '20261121T000000Z',
      },
      { DTSTART: '20261121T040000Z', DTEND: '20261121T050000Z' },
    ]);
    expect(events[0]?.['LOCATION']).toBe('Torino\\; Piazza\\, Italy');
  });

  it('keeps the ID of a run, so that a later fetch replaces it', () => {
    const [first] = eventsOf(rainCalendar(context));
    const later = { ...forecast, fetchedAt: '2026-11-21T00:30:00.000Z' };
    expect(eventsOf(rainCalendar({ ...context, forecast: later }))[0]?.['UID']).toBe(first?.['UID']);
  });

  it('folds lines at 75 bytes and ends them with CRLF', () => {
    const long = rainCalendar({ ...context, placeName: 'Ünïcödé '.repeat(30) });
    expect(long.replaceAll('\r\n', '')).not.toContain('\n');
    for (const line of long.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(76);
  });

  it('has no event if it is dry', () => {
    const dry = forecastOf(pointsOf(start, ['cloudy', 'sunny']));
    expect(eventsOf(rainCalendar({ ...context, forecast: dry }))).toEqual([]);
  });
});

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
