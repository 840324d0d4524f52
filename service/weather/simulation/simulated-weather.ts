// Computes the simulated weather at a place and time from noise fields and the climate. Deterministic on every machine.
import type { LatLng, Status } from '@rainbell/contract/service-api';
import { withWind } from '../reading/wmo-status.ts';
import { climateTemperature, thresholdFor, wetShare } from './climate.ts';
import { createNoiseField } from './noise-field.ts';

export type SimulatedWeather = {
  status: Status;
  /** Melted, if it is snow. */
  mmPerHour: number;
  isSnow: boolean;
  temperatureKelvin: number;
  dewPointKelvin: number;
  humidityPercent: number;
  pressureHectopascal: number;
  windMetresPerSecond: number;
  windFromDegrees: number;
};

export type SimulatedSky = (place: LatLng, instant: number) => SimulatedWeather;

/** Each about -1 to 1. */
type FieldValues = Record<'moisture' | 'cloud' | 'warmth' | 'pressure' | 'wind' | 'violence', number>;

export function createSimulatedSky(seed: string, isDry = false): SimulatedSky {
  const field = (name: string, patchKm: number, lifeHours: number, octaves: number) =>
    createNoiseField(`${seed}/${name}`, { patchKm, lifeHours, octaves });
  const moisture = field('moisture', 500, 10, 2);
  const cloud = field('cloud', 900, 14, 2);
  const warmth = field('warmth', 1500, 60, 2);
  const pressure = field('pressure', 2500, 48, 2);
  const wind = field('wind', 1200, 18, 2);
  const violence = field('violence', 300, 6, 1);
  return (place, instant) =>
    weatherFrom(
      {
        moisture: moisture(place, instant),
        cloud: cloud(place, instant),
        warmth: warmth(place, instant),
        pressure: pressure(place, instant),
        wind: wind(place, instant),
        violence: violence(place, instant),
      },
      {
        climateKelvin: climateTemperature(place, instant),
        wetAbove: isDry ? Infinity : thresholdFor(wetShare(place)),
      },
    );
}

const freezing = 273.15;

/** It precipitates if the moisture exceeds `wetAbove`. */
type Background = { climateKelvin: number; wetAbove: number };

export function weatherFrom(fields: FieldValues, { climateKelvin, wetAbove }: Background): SimulatedWeather {
  const { moisture, violence } = fields;
  const excess = moisture - wetAbove;
  const mmPerHour = excess <= 0 ? 0 : round(0.2 + 14 * excess * (1.2 + violence), 2);
  const cloudiness = fields.cloud + Math.max(0, moisture) * 1.2;
  const temperature = climateKelvin + 7 * fields.warmth - Math.min(3, mmPerHour);
  const humidity = clamp(62 + 45 * moisture + (mmPerHour > 0 ? 15 : 0), 12, 100);
  const wind = Math.max(0.2, 5.5 + 12 * fields.wind + Math.min(4, mmPerHour / 2));
  const isSnow = temperature < freezing + 0.7;
  return {
    status:
      mmPerHour > 0
        ? wetStatus({ isSnow, mmPerHour, violence, temperature })
        : dryStatus({ cloudiness, humidity, wind }),
    mmPerHour,
    isSnow: isSnow && mmPerHour > 0,
    temperatureKelvin: round(temperature, 2),
    // Lawrence 2005: the dew point is about 0.2 K below the air temperature per percent of humidity below 100%.
    dewPointKelvin: round(temperature - (100 - humidity) / 5, 2),
    humidityPercent: Math.round(humidity),
    pressureHectopascal: round(1013 + 22 * fields.pressure - 6 * Math.max(0, moisture), 1),
    windMetresPerSecond: round(wind, 1),
    windFromDegrees: Math.round(250 + 140 * fields.pressure + 360) % 360,
  };
}

type Dry = { cloudiness: number; humidity: number; wind: number };

function dryStatus({ cloudiness, humidity, wind }: Dry): Status {
  if (humidity > 66 && wind < 2.6 && cloudiness < 0.35) return 'foggy';
  const sky = cloudiness > 0.28 ? 'cloudy' : cloudiness > -0.05 ? 'partly cloudy' : 'sunny';
  return withWind(sky, wind);
}

type Wet = { isSnow: boolean; mmPerHour: number; violence: number; temperature: number };

function wetStatus({ isSnow, mmPerHour, violence, temperature }: Wet): Status {
  if (isSnow) return mmPerHour < 0.8 ? 'snow flurries' : 'snowy';
  const isConvective = temperature > freezing + 10 && violence > 0.35;
  if (isConvective && mmPerHour > 7) return 'hailing';
  if (isConvective && mmPerHour > 2.5) return 'stormy';
  return 'rainy';
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale + 0;
}
