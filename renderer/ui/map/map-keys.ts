// What the keys do on the map: arrows move the cross-hair 0.1°, with Shift 1°, with Alt 10°; + and − zoom, 0 shows the
// whole world, N and P step through the markers, Enter picks.
import type { LatLng } from '@rainbell/contract/service-api';
import { roundedPlace } from './map-view.ts';

export type MapKeyAction =
  | { kind: 'move'; to: LatLng }
  | { kind: 'zoom'; factor: number }
  | { kind: 'world' }
  | { kind: 'pick' }
  | { kind: 'marker'; step: 1 | -1 };

type Key = { key: string; shiftKey: boolean; altKey: boolean; ctrlKey: boolean; metaKey: boolean };

const directions: Readonly<Record<string, readonly [lat: number, lng: number]>> = {
  ArrowUp: [1, 0],
  ArrowDown: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Returns undefined if the key has no function here; the page then handles it. */
export function mapKeyAction({ key, shiftKey, altKey, ctrlKey, metaKey }: Key, at: LatLng): MapKeyAction | undefined {
  if (ctrlKey || metaKey) return undefined;
  const direction = directions[key];
  if (direction) {
    const step = altKey ? 10 : shiftKey ? 1 : 0.1;
    return {
      kind: 'move',
      to: roundedPlace({ lat: at.lat + direction[0] * step, lng: at.lng + direction[1] * step }, 4),
    };
  }
  if (altKey) return undefined;
  if (key === '+' || key === '=') return { kind: 'zoom', factor: 1.6 };
  if (key === '-' || key === '_') return { kind: 'zoom', factor: 1 / 1.6 };
  if (key === '0') return { kind: 'world' };
  if (key === 'Enter' || key === ' ') return { kind: 'pick' };
  if (key === 'n' || key === 'N') return { kind: 'marker', step: 1 };
  if (key === 'p' || key === 'P') return { kind: 'marker', step: -1 };
  return undefined;
}
