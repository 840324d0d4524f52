// Where and when a scenario applies, and what it replaces.
import { describe, expect, it } from 'vitest';
import type { CellWeather } from '#service/weather/reading/reading.ts';
import {
  applyScenarios,
  applyScenariosToMinutes,
  type PlacedScenario,
  placeScenario,
  scenarioAt,
  scenariosAt,
  scenariosReaching,
} from '#service/weather/sources/scenarios.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;
const center = { lat: 45, lng: 7 };
const kmNorth = (km: number) => ({ lat: center.lat + km / 111.195, lng: center.lng });
const wanted = { center, radiusKm: 30, status: 'snowy', minutes: 60, startsInMinutes: 0 } as const;
const scenario = (changes: Partial<PlacedScenario> = {}): PlacedScenario => ({
  ...placeScenario('one', wanted, now),
  ...changes,
});

describe('a scenario', () => {
  it('is active from its start until before its end', () => {
    const first = scenario({ from: now, until: now + 1 });
    const last = scenario({ id: 'two', from: now - 1, until: now + 2 });
    const activeAt = (ms: number) => scenarioAt([first, last], now + ms)?.id;
    expect([-2, -1, 0, 1, 2].map(activeAt)).toEqual([undefined, 'two', 'one', 'two', undefined]);
  });

  it('reaches the places within its radius, and the last one wins', () => {
    const laid = [scenario({ id: 'one' }), scenario({ id: 'two' }), scenario({ id: 'small', radiusKm: 10 })];
    const ids = (found: readonly PlacedScenario[]) => found.map(({ id }) => id);
    expect(ids(scenariosAt(laid, kmNorth(9.9)))).toEqual(['small', 'two', 'one']);
    expect(ids(scenariosAt(laid, kmNorth(10.1)))).toEqual(['two', 'one']);
    expect(ids(scenariosAt(laid, kmNorth(30.1)))).toEqual([]);
    expect(ids(scenariosAt([scenario({ radiusKm: 0 })], center))).toEqual(['one']);
    expect(ids(scenariosReaching(laid, kmNorth(19.9), 10))).toEqual(['one', 'two', 'small']);
    expect(ids(scenariosReaching(laid, kmNorth(20.1), 10))).toEqual(['one', 'two']);
    expect(ids(scenariosReaching([scenario({ radiusKm: 0 })], center))).toEqual(['one']);
  });
});

describe('weather under a scenario', () => {
  const weather: CellWeather = {
    source: 'open-meteo',
    grid: center,
    fetchedAt: now,
    current: { at: now - 10 * minute, status: 'sunny', measured: { temperature: 280, rainfall: 0, snowfall: 0 } },
    steps: [
      { at: now + 30 * minute, status: 'sunny', measured: { rainfall: 0 } },
      { at: now + 90 * minute, status: 'sunny', measured: { rainfall: 0 } },
    ],
    rainfall: [],
  };

  it('has its status now and at the steps within its time, without amounts', () => {
    const { current, steps } = applyScenarios(weather, [scenario()], now + 5_000);
    expect(current).toEqual({ at: now, status: 'snowy', measured: { temperature: 280 }, isScenario: true });
    expect(steps).toEqual([{ at: now + 30 * minute, status: 'snowy', isScenario: true }, weather.steps[1]]);
  });

  it('keeps its current reading if the scenario comes later', () => {
    const coming = scenario({ from: now + minute });
    const { current, steps } = applyScenarios(weather, [coming], now);
    expect(current).toEqual(weather.current);
    expect(steps[0]?.status).toBe('snowy');
  });

  it('has no current reading if it had none', () => {
    const { current: _, ...rest } = weather;
    const laid = applyScenarios({ ...rest, steps: [] }, [scenario()], now);
    expect(laid).not.toHaveProperty('current');
  });
});

describe('radar under a scenario', () => {
  const step = (index: number, mmPerHour: number) => ({
    from: now + index * 5 * minute,
    until: now + (index + 1) * 5 * minute,
    mmPerHour,
  });
  const radar = { source: 'radar', updatedAt: now, rainfall: [step(0, 0), step(1, 2), step(2, 3)] };
  it.each([
    ['its own rate or an unknown one', 'rainy', [null, 2, 3]],
    ['no rain', 'sunny', [0, 0, 3]],
  ] as const)('shows %s under a %s one, until that ends', (_name, status, amounts) => {
    const found = applyScenariosToMinutes(radar, [scenario({ status, until: now + 10 * minute })]);
    expect(found).toEqual(radar.rainfall.map(({ from }, index) => ({ from, mmPerHour: amounts[index] })));
  });
});
