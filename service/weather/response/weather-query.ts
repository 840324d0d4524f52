// Parses `location_lat` and `location_lng` (docs/interface.md §4.3). The interface does not define the error; we return 400 and
// name the field and its rule.
import type { LatLng } from '@rainbell/contract/service-api';
import { ServiceError } from '../../errors/service-error.ts';

const numberForm = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

export function readPlace(query: Readonly<Record<string, unknown>>): LatLng {
  return { lat: readNumber(query, 'location_lat', 90), lng: readNumber(query, 'location_lng', 180) };
}

function readNumber(query: Readonly<Record<string, unknown>>, name: string, limit: number): number {
  const given = query[name];
  // A plus sign in a query is a space.
  const text = typeof given === 'string' ? given.trim() : '';
  const value = numberForm.test(text) ? Number(text) : Number.NaN;
  if (Math.abs(value) <= limit) return value;
  throw new ServiceError('invalid_request', `${name} must be a number between -${limit} and ${limit}.`);
}
