// Computes the simulated weather at a place and time from noise fields and the climate. Deterministic on every machine.
import { dayMs } from '@rainbell/shared';
import type { LatLng, Status } from '@rainbell/contract/service-api';
import { withWind } from '../reading/wmo-status.ts';
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

const fields = {
  moisture: { patchKm: 500, lifeHours: 10, octaves: 2 },
  cloud: { patchKm: 900, lifeHours: 14, octaves: 2 },
  warmth: { patchKm: 1500, lifeHours: 60, octaves: 2 },
  pressure: { patchKm: 2500, lifeHours: 48, octaves: 2 },
  wind: { patchKm: 1200, lifeHours: 18, octaves: 2 },
  violence: { patchKm: 300, lifeHours: 6, octaves: 1 },
};

/** Each about -1 to 1. */
type FieldValues = Record<keyof typeof fields, number>;

export function createSimulatedSky(seed: string, isDry = false): SimulatedSky {
  const noises = (Object.keys(fields) as (keyof FieldValues)[]).map(
    (name) => [name, createNoiseField(`${seed}/${name}`, fields[name])] as const,
  );
  return (place, instant) => {
    const values = {} as FieldValues;
    for (const [name, noise] of noises) values[name] = noise(place, instant);
    const wetAbove = isDry ? Infinity : thresholdFor(wetShare(place));
    return weatherFrom(values, { climateKelvin: climateTemperature(place, instant), wetAbove });
  };
}

const freezing = 273.15;

/** It precipitates if the moisture exceeds `wetAbove`. */
type Background = { climateKelvin: number; wetAbove: number };

function weatherFrom(values: FieldValues, { climateKelvin, wetAbove }: Background): SimulatedWeather {
  const { moisture, violence } = values;
  const excess = moisture - wetAbove;
  const mmPerHour = excess <= 0 ? 0 : round(0.2 + 14 * excess * (1.2 + violence), 2);
  const cloudiness = values.cloud + Math.max(0, moisture) * 1.2;
  const temperature = climateKelvin + 7 * values.warmth - Math.min(3, mmPerHour);
  const humidity = clamp(62 + 45 * moisture + (mmPerHour > 0 ? 15 : 0), 12, 100);
  const wind = Math.max(0.2, 5.5 + 12 * values.wind + Math.min(4, mmPerHour / 2));
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
    pressureHectopascal: round(1013 + 22 * values.pressure - 6 * Math.max(0, moisture), 1),
    windMetresPerSecond: round(wind, 1),
    windFromDegrees: Math.round(250 + 140 * values.pressure + 360) % 360,
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

// Typical values by season, hour, and latitude: the calm background of the fronts.

const yearDays = 365.2422;
/** Coldest and warmest days come about a month after the solstices. */
const warmestDay = 200;
const warmestHour = 14.5;

/** Kelvin, without any weather: about 300 at the equator, far below freezing at a winter pole. */
function climateTemperature({ lat, lng }: LatLng, instant: number): number {
  const days = instant / dayMs;
  const latitude = Math.abs(lat) / 90;
  const yearly = Math.cos((2 * Math.PI * (days - warmestDay)) / yearDays) * Math.sign(lat);
  const seasonal = 22 * latitude * yearly;
  const hoursSinceWarmest = days * 24 + lng / 15 - warmestHour;
  const daily = 4 * (1 - latitude * 0.7) * Math.cos((2 * Math.PI * hoursSinceWarmest) / 24);
  return 300 - 42 * latitude ** 1.6 + seasonal + daily;
}

/** The share of time in which it precipitates: the tropics and the westerlies are wet, the horse latitudes dry. */
function wetShare({ lat }: LatLng): number {
  const latitude = Math.abs(lat);
  const tropics = 0.1 * Math.exp(-((latitude / 14) ** 2));
  const westerlies = 0.13 * Math.exp(-(((latitude - 52) / 16) ** 2));
  return 0.045 + tropics + westerlies;
}

/** Quantiles of a two-octave noise field, measured over 60,000 random places and times: [share above, value]. */
const quantiles: readonly (readonly [share: number, value: number])[] = [
  [0.005, 0.79],
  [0.02, 0.64],
  [0.04, 0.545],
  [0.08, 0.427],
  [0.12, 0.347],
  [0.2, 0.239],
  [0.5, 0],
];

/** The value that a field exceeds for the given share of time. */
function thresholdFor(share: number): number {
  const above = quantiles.findIndex(([known]) => known >= share);
  const [toShare, toValue] = quantiles[above] ?? [0.5, 0];
  const [fromShare, fromValue] = quantiles[above - 1] ?? [0, 0.9];
  return fromValue + ((toValue - fromValue) * (share - fromShare)) / (toShare - fromShare);
}
