// MET Norway's Nowcast 2.0: radar precipitation in five-minute steps for the next two hours, in the Nordic area, and its best
// estimate of the current weather there. Terms as for Locationforecast.
import { minuteMs } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import { measuredOf } from '../../reading/provider-values.ts';
import { type Nowcast, ProviderFailure, type Rainfall } from '../../reading/reading.ts';
import { createSideSource } from '../../fetch/side-source.ts';
import {
  instantValue,
  instantValues,
  kindOfSymbol,
  metNorwayAddress,
  readMetDocument,
  statusOfSymbol,
} from './met-document.ts';
import type { ProviderContext, Radar } from '../provider.ts';

const nowcastName = 'met-norway-nowcast';

const stepMs = 5 * minuteMs;
const notCoveredForMs = 6 * 3_600_000;

/** Norway, Sweden, Finland, and Denmark; no requests for places outside. */
const box = { south: 54, north: 72, west: 4, east: 32 };

function isNordic({ lat, lng }: LatLng): boolean {
  return lat >= box.south && lat <= box.north && lng >= box.west && lng <= box.east;
}

type Dependencies = Pick<ProviderContext, 'fetchDocument' | 'side'> & { baseUrl: string; userAgent: string };

export function createNowcast({ baseUrl, userAgent, fetchDocument, side }: Dependencies): Radar {
  const source = createSideSource<Nowcast>({
    ...side,
    name: nowcastName,
    timeoutMs: 400,
    maxCells: 2_000,
    async fetch(cell) {
      const address = metNorwayAddress(baseUrl, 'nowcast/2.0/complete', cell);
      const document = await fetchDocument(nowcastName, address, { userAgent }).catch((error: unknown) => {
        if (isOutside(error)) return undefined;
        throw error;
      });
      if (document?.isNew !== true) return { value: undefined, freshForMs: notCoveredForMs };
      return { value: readNowcast(document.body), freshForMs: Math.max(stepMs, document.lifetimeMs ?? 0) };
    },
  });
  return { near: async (cell) => (isNordic(cell) ? source.near(cell) : undefined) };
}

function isOutside(error: unknown): boolean {
  return error instanceof ProviderFailure && (error.status === 404 || error.status === 422);
}

/** Returns undefined if the document adds nothing to the forecast. Throws a ProviderFailure if it is not a nowcast. */
export function readNowcast(body: unknown): Nowcast | undefined {
  const { steps, units, radarCoverage, updatedAt } = readMetDocument(nowcastName, body);
  // Only a nowcast has a radar coverage; reject a forecast sent in its place.
  if (radarCoverage === undefined) return undefined;
  const rates = radarCoverage === 'ok' ? steps : [];
  const [first] = steps;
  const symbol = first?.data.next_1_hours?.summary?.symbol_code;
  // Only the first step has a symbol.
  const kind = kindOfSymbol(symbol);
  const rainfall = rates.flatMap((step): Rainfall[] => {
    const rate = instantValue(step, units, 'precipitation_rate', 'precipitation_rate');
    return rate === undefined ? [] : [{ from: step.at, until: step.at + stepMs, mmPerHour: rate, kind }];
  });
  const values = first && instantValues(first, units);
  const current =
    first && symbol !== undefined && values?.temperature !== undefined
      ? { at: first.at, status: statusOfSymbol(symbol), ...measuredOf(values) }
      : undefined;
  return { source: nowcastName, rainfall, updatedAt, current };
}
