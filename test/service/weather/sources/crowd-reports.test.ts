// Which of users' reports decides, and which values it leaves in the current weather.
import { describe, expect, it } from 'vitest';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import { withReports } from '#service/weather/sources/observations.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const weather = (measured?: Record<string, number>, changes: Partial<CellWeather> = {}): CellWeather => ({
  source: 'met',
  grid: { lat: 45.1, lng: 7.7 },
  fetchedAt: now,
  current: { at: now, status: 'sunny', ...(measured ? { measured } : {}) },
  steps: [],
  rainfall: [],
  ...changes,
});
const statuses = (...all: string[]) => all.map((status) => ({ status }));

describe('users’ reports', () => {
  it.each([
    [['rainy'], 'rainy'],
    [['rainy', 'snowy', 'snowy'], 'snowy'],
    [['snowy', 'rainy', 'rainy', 'snowy'], 'snowy'],
    [['strange', 'strange', 'rainy'], 'rainy'],
  ])('%j are %s: the most frequent known status, in a tie the newest', (all, status) => {
    expect(withReports(weather(), statuses(...all), now).current?.status).toBe(status);
  });

  it('change nothing without a known status, or a current reading', () => {
    const plain = weather();
    expect(withReports(plain, statuses(), now)).toBe(plain);
    expect(withReports(plain, statuses('strange'), now)).toBe(plain);
    const { current: _, ...empty } = weather();
    expect(withReports(empty, statuses('rainy'), now)).toBe(empty);
  });

  it('remove amounts that belong to another status', () => {
    const amounts = { rainfall: 1, snowfall: 2 };
    const currentOf = (measured: Record<string, number> | undefined, status: string) =>
      withReports(weather(measured), statuses(status), now).current;
    const base = { at: now, sources: ['metag', 'met'] };
    expect(currentOf({ ...amounts, humidity: 50 }, 'rainy')).toStrictEqual({
      ...base,
      status: 'rainy',
      measured: { humidity: 50 },
    });
    expect(currentOf(amounts, 'rainy')).toStrictEqual({ ...base, status: 'rainy' });
    expect(currentOf(amounts, 'sunny')).toStrictEqual({ ...base, status: 'sunny', measured: amounts });
    expect(currentOf(undefined, 'sunny')).toStrictEqual({ ...base, status: 'sunny' });
  });

  it('come before the other sources', () => {
    const current = { at: now, status: 'sunny', sources: ['metar:LIMF', 'met'] } as const;
    expect(withReports(weather({}, { current }), statuses('foggy'), now).current?.sources).toEqual([
      'metag',
      'metar:LIMF',
      'met',
    ]);
  });
});
