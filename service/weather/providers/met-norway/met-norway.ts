// MET Norway's Locationforecast as a provider. Terms: CC BY 4.0 / NLOD, credit MET Norway, never use the names Yr or NRK; a
// User-Agent with a contact is mandatory, `Expires` is honored and `If-Modified-Since` sent, with at most 4 decimals.
import type { Clock } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';
import type { FetchDocument } from '../../fetch/provider-http.ts';
import { type Provider, ProviderFailure } from '../../reading/reading.ts';
import { metNorwayName, readLocationforecast } from './read-locationforecast.ts';

export type MetNorwayOptions = {
  baseUrl: string;
  /** Identifies us and our contact. */
  userAgent: string;
  fetchDocument: FetchDocument;
  clock: Clock;
  /** From 0 to below 1: spreads the requests after an `Expires`. */
  random: () => number;
};

const minuteMs = 60_000;
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
        validators: known?.validators,
      });
      const now = clock.now();
      const asked = document.lifetimeMs ?? defaultLifetimeMs;
      const lifetimeMs = Math.min(maxLifetimeMs, Math.max(minLifetimeMs, asked)) + random() * spreadMs;
      const freshUntil = now + Math.round(lifetimeMs);
      if (document.isNew) {
        return { ...readLocationforecast(document.body, now), freshUntil, validators: document.validators };
      }
      if (!known) throw new ProviderFailure(metNorwayName, 'it returned 304 for an unconditional request');
      return { ...known, fetchedAt: now, freshUntil };
    },
  };
}

/** Appends the product's path to the base URL unless that already has a product (a mirror's). */
export function metNorwayAddress(baseUrl: string, product: string, { lat, lng }: LatLng): URL {
  const address = new URL(baseUrl);
  if (!/\/(compact|complete|classic)$/.test(address.pathname)) {
    address.pathname = `${address.pathname.replace(/\/+$/, '')}/weatherapi/${product}`;
  }
  address.searchParams.set('lat', String(Number(lat.toFixed(4))));
  address.searchParams.set('lon', String(Number(lng.toFixed(4))));
  return address;
}
