// MET Norway's Locationforecast as a provider. Terms: CC BY 4.0 / NLOD, credit MET Norway, never use the names Yr or NRK; a
// User-Agent with a contact is mandatory, `Expires` is honored and `If-Modified-Since` sent, with at most 4 decimals.
import { hourMs, minuteMs } from '@rainbell/shared';
import { z } from 'zod';
import { webAddress } from '../../../config/setting-row.ts';
import { product } from '../../fetch/provider-http.ts';
import {
  ProviderFailure,
  requireCurrentWeather,
  type CellWeather,
  type Rainfall,
  type Reading,
} from '../../reading/reading.ts';
import { measuredOf, inUnit } from '../../reading/provider-values.ts';
import { withWind } from '../../reading/wmo-status.ts';
import type { SettingValues } from '../../../config/setting-row.ts';
import type { Provider, ProviderContext } from '../provider.ts';
import {
  instantValues,
  type MetDocument,
  metNorwayAddress,
  type MetStep,
  readMetDocument,
  kindOfSymbol,
  statusOfSymbol,
} from './met-document.ts';
import { createNowcast } from './nowcast.ts';

const settings = {
  metNorwayUrl: {
    environment: 'RAINBELL_MET_NORWAY_URL',
    schema: webAddress,
    default: 'https://api.met.no',
    unit: 'URL',
    meaning: 'The MET Norway server.',
  },
  metNorwayContact: {
    environment: 'RAINBELL_MET_NORWAY_CONTACT',
    // It is sent in a header.
    schema: z
      .string()
      .regex(/^[\x20-\x7e]+$/, 'must be an email address or URL in plain ASCII')
      .optional(),
    unit: 'email address or URL',
    meaning: 'Contact for MET Norway, which requires one; without it, that provider is off.',
  },
} as const;

export const metNorway = {
  settings,
  missing: 'Start the service with RAINBELL_MET_NORWAY_CONTACT set; MET Norway requires a contact.',
  create(config: SettingValues<typeof settings>, context: ProviderContext): Provider | undefined {
    if (config.metNorwayContact === undefined) return undefined;
    const host = { ...context, baseUrl: config.metNorwayUrl, userAgent: `${product} ${config.metNorwayContact}` };
    return { ...createMetNorway(host), radar: createNowcast(host) };
  },
};

/** `random` spreads the requests after an `Expires`. */
type MetNorwayOptions = Pick<ProviderContext, 'fetchDocument' | 'clock' | 'random'> & {
  baseUrl: string;
  userAgent: string;
};

const metNorwayName = 'met-norway';
const defaultLifetimeMs = 30 * minuteMs;
const minLifetimeMs = 5 * minuteMs;
const maxLifetimeMs = 120 * minuteMs;
const spreadMs = 3 * minuteMs;

export function createMetNorway({ baseUrl, userAgent, fetchDocument, clock, random }: MetNorwayOptions): Provider {
  return {
    name: metNorwayName,
    async fetch(cell, known) {
      const address = metNorwayAddress(baseUrl, 'locationforecast/2.0/compact', cell);
      const document = await fetchDocument(metNorwayName, address, {
        userAgent,
        lastModified: known?.lastModified,
      });
      const now = clock.now();
      const asked = document.lifetimeMs ?? defaultLifetimeMs;
      const lifetimeMs = Math.min(maxLifetimeMs, Math.max(minLifetimeMs, asked)) + random() * spreadMs;
      const freshUntil = now + Math.round(lifetimeMs);
      if (document.isNew) {
        return { ...readLocationforecast(document.body, now), freshUntil, lastModified: document.lastModified };
      }
      if (!known) throw new ProviderFailure(metNorwayName, 'it returned 304 for an unconditional request');
      return { ...known, fetchedAt: now, freshUntil };
    },
  };
}

/** The watch checks 15 minutes ahead, and stored data is served for some hours. */
const hoursOfRainfall = 9;

/**
 * Parses Locationforecast 2.0: hourly steps for some days, then one every six hours. Returns its steps without interpolation, and
 * drops a step without a period, which is how the document ends. Throws a ProviderFailure if the body has no forecast.
 */
export function readLocationforecast(body: unknown, fetchedAt: number): CellWeather {
  const document = readMetDocument(metNorwayName, body);
  const steps = document.steps.flatMap((step) => readStep(step, document.units));
  if (steps.every(({ status }) => status === 'unknown')) {
    throw new ProviderFailure(metNorwayName, 'its response has no time step with weather');
  }
  return requireCurrentWeather({
    source: metNorwayName,
    grid: document.grid,
    fetchedAt,
    steps,
    rainfall: document.steps.flatMap((step) => readRainfall(step, document.units)).slice(0, hoursOfRainfall),
  });
}

function readStep(step: MetStep & { at: number }, units: MetDocument['units']): Reading[] {
  const { next_1_hours: hour, next_6_hours: sixHours, next_12_hours: halfDay } = step.data;
  const symbol = (hour?.summary ?? sixHours?.summary ?? halfDay?.summary)?.symbol_code;
  if (symbol === undefined) return [];
  const instant = instantValues(step, units);
  const status = withWind(statusOfSymbol(symbol), instant.wind_speed);
  const isFrozen = status === 'snowy' || status === 'snow flurries';
  // The amount is the liquid equivalent, not the depth of snow. A sum of six hours is not one of the hour.
  const rainfall = isFrozen ? undefined : amountOfHour(step, units);
  return [{ at: step.at, status, ...measuredOf({ ...instant, rainfall }) }];
}

/** Reads `next_1_hours`, the sum of the hour after the step. */
function readRainfall(step: MetStep & { at: number }, units: MetDocument['units']): Rainfall[] {
  const amount = amountOfHour(step, units);
  const kind = kindOfSymbol(step.data.next_1_hours?.summary?.symbol_code);
  return amount === undefined ? [] : [{ from: step.at, until: step.at + hourMs, mmPerHour: amount, kind }];
}

function amountOfHour({ data }: MetStep, units: MetDocument['units']): number | undefined {
  const amount = data.next_1_hours?.details?.['precipitation_amount'];
  return inUnit('precipitation', amount, units['precipitation_amount']);
}
