// How the values of the noise fields become weather. Expected values are computed by hand from the documented model.
import { describe, expect, it } from 'vitest';
import { createSimulatedSky, weatherFrom } from '#service/weather/simulation/simulated-weather.ts';

const calm = { moisture: 0, cloud: 0, warmth: 0, pressure: 0, wind: 0, violence: 0 };
const read = (fields: Partial<typeof calm>, climateKelvin = 290, wetAbove = 0.5) =>
  weatherFrom({ ...calm, ...fields }, { climateKelvin, wetAbove });

describe('fields at their mean', () => {
  it('give the climate’s temperature and average values', () => {
    expect(read({})).toEqual({
      status: 'partly cloudy',
      mmPerHour: 0,
      isSnow: false,
      temperatureKelvin: 290,
      // (100 - 62) / 5 K below the temperature.
      dewPointKelvin: 282.4,
      humidityPercent: 62,
      pressureHectopascal: 1013,
      windMetresPerSecond: 5.5,
      windFromDegrees: 250,
    });
  });
});

describe('a field', () => {
  it.each([
    ['warmth, 7 K for each 1', { warmth: 1 }, { temperatureKelvin: 297, dewPointKelvin: 289.4 }],
    ['pressure, 22 hPa', { pressure: 0.5 }, { pressureHectopascal: 1024, windFromDegrees: 320 }],
    ['pressure, past north', { pressure: 1 }, { pressureHectopascal: 1035, windFromDegrees: 30 }],
    ['low pressure', { pressure: -1 }, { pressureHectopascal: 991, windFromDegrees: 110 }],
    ['wind, 12 m/s', { wind: 0.5 }, { windMetresPerSecond: 11.5, status: 'partly cloudy' }],
    ['strong wind', { wind: 0.75 }, { windMetresPerSecond: 14.5, status: 'windy' }],
    ['no wind', { wind: -1 }, { windMetresPerSecond: 0.2 }],
    ['moisture', { moisture: 0.1 }, { humidityPercent: 67, pressureHectopascal: 1012.4, dewPointKelvin: 283.3 }],
    ['dry air', { moisture: -0.1 }, { humidityPercent: 58, pressureHectopascal: 1013, dewPointKelvin: 281.5 }],
    ['very dry air', { moisture: -1.2 }, { humidityPercent: 12, dewPointKelvin: 272.4 }],
    ['clouds', { cloud: 0.29 }, { status: 'cloudy' }],
    ['few clouds', { cloud: 0.28 }, { status: 'partly cloudy' }],
    ['hardly any', { cloud: -0.04 }, { status: 'partly cloudy' }],
    ['none', { cloud: -0.05 }, { status: 'sunny' }],
    ['moisture that adds clouds', { cloud: 0.2, moisture: 0.1 }, { status: 'cloudy' }],
    ['dryness that takes none away', { cloud: 0.29, moisture: -0.5 }, { status: 'cloudy' }],
  ] as const)('changes what depends on it: %s', (_name, fields, expected) => {
    expect(read(fields)).toMatchObject(expected);
  });
});

describe('fog', () => {
  const foggy = { moisture: 0.1, wind: -0.25 };
  it.each([
    ['in moist, calm air', foggy, 'foggy'],
    ['under some clouds', { ...foggy, cloud: 0.2 }, 'foggy'],
    ['not under an overcast sky', { ...foggy, cloud: 0.25 }, 'cloudy'],
    ['not with 2.62 m/s of wind', { ...foggy, wind: -0.24 }, 'partly cloudy'],
    ['not at 66% of humidity', { ...foggy, moisture: 4 / 45 }, 'partly cloudy'],
  ] as const)('forms %s', (_name, fields, status) => {
    expect(read(fields).status).toBe(status);
  });
});

describe('precipitation', () => {
  it('starts above the threshold, cools the air, and brings wind and moisture', () => {
    expect(read({ moisture: 0.5 }).mmPerHour).toBe(0);
    // 0.2 + 14 × 0.1 × 1.2 mm/h.
    expect(read({ moisture: 0.6 })).toEqual({
      status: 'rainy',
      mmPerHour: 1.88,
      isSnow: false,
      temperatureKelvin: 288.12,
      dewPointKelvin: 288.12,
      humidityPercent: 100,
      pressureHectopascal: 1009.4,
      windMetresPerSecond: 6.4,
      windFromDegrees: 250,
    });
    // 62 + 45 × 0.1 + 15%.
    expect(read({ moisture: 0.1 }, 290, 0.05).humidityPercent).toBe(82);
    expect(read({ moisture: 1 }, 290, Infinity).mmPerHour).toBe(0);
  });

  it('cools by at most 3 K, and brings at most 4 m/s of wind', () => {
    // 0.2 + 14 × 0.5 × 1.7 mm/h.
    expect(read({ moisture: 1, violence: 0.5 })).toMatchObject({
      mmPerHour: 12.1,
      temperatureKelvin: 287,
      windMetresPerSecond: 9.5,
    });
  });

  const excess = (value: number, violence: number) => ({ moisture: 0.25 + value, violence });
  it.each([
    ['more than 7 mm/h of violent warm rain', excess(0.5, 0.5), 290, 'hailing'],
    ['7 mm/h', excess(6.8 / 23.8, 0.5), 290, 'stormy'],
    ['more than 2.5 mm/h', excess(0.1, 0.5), 290, 'stormy'],
    ['2.5 mm/h', excess(2.3 / 23.8, 0.5), 290, 'rainy'],
    ['rain that is just violent', excess(0.2, 0.36), 290, 'stormy'],
    ['rain that is not', excess(0.2, 0.35), 290, 'rainy'],
    ['violent rain just above 10 °C', excess(0.2, 0.5), 286.16, 'stormy'],
    ['violent rain at 10 °C', excess(0.2, 0.5), 286.15, 'rainy'],
    ['rain just above 0.7 °C', excess(0.5, 0), 276.86, 'rainy'],
    ['precipitation just below', excess(0.5, 0), 276.84, 'snowy'],
    ['0.8 mm/h of snow', excess(0.6 / 16.8, 0), 270, 'snowy'],
    ['less snow', excess(0.59 / 16.8, 0), 270, 'snow flurries'],
  ] as const)('has its status: %s', (_name, fields, climateKelvin, status) => {
    const weather = read(fields, climateKelvin, 0.25);
    expect(weather.status).toBe(status);
    expect(weather.isSnow).toBe(status.startsWith('snow'));
  });

  it('is needed for snow, however cold it is', () => {
    expect(read({}, 250)).toMatchObject({ isSnow: false, status: 'partly cloudy' });
  });
});

describe('the sky of the built-in service', () => {
  // Recorded once, because the simulated weather of a place and time must not change from version to version.
  it.each([
    [
      'Turin',
      { lat: 45.1, lng: 7.7 },
      {
        status: 'sunny',
        temperatureKelvin: 278.05,
        dewPointKelvin: 267.5,
        humidityPercent: 47,
        pressureHectopascal: 1012,
        windMetresPerSecond: 4.6,
        windFromDegrees: 243,
      },
    ],
    [
      'Sydney',
      { lat: -33.9, lng: 151.2 },
      {
        status: 'cloudy',
        temperatureKelvin: 298.68,
        dewPointKelvin: 291.9,
        humidityPercent: 66,
        pressureHectopascal: 1007.8,
        windMetresPerSecond: 8.2,
        windFromDegrees: 220,
      },
    ],
  ])('stays as it is over %s', (_name, place, expected) => {
    const sky = createSimulatedSky('rainbell');
    expect(sky(place, Date.parse('2026-11-21T06:00:00Z'))).toMatchObject(expected);
  });
});
