// Formats distances between places.

const compass = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'] as const;

/** `2.1 km east`; under 50 m the grid point is the place itself. */
export function formatDistance(km: number, bearingDegrees: number | null): string {
  if (km < 0.05) return 'same place';
  const direction = bearingDegrees === null ? '' : ` ${compass[Math.round(bearingDegrees / 45) % 8]}`;
  return `${km < 10 ? km.toFixed(1) : Math.round(km)} km${direction}`;
}
