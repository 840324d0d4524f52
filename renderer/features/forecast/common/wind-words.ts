// Formats directions and forces of the wind.

const points = [
  'N',
  'NNE',
  'NE',
  'ENE',
  'E',
  'ESE',
  'SE',
  'SSE',
  'S',
  'SSW',
  'SW',
  'WSW',
  'W',
  'WNW',
  'NW',
  'NNW',
] as const;
const spoken = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'] as const;
/** WMO-No. 306, code table 1100, in the usual English terms. */
const forces = [
  'Calm',
  'Light air',
  'Light breeze',
  'Gentle breeze',
  'Moderate breeze',
  'Fresh breeze',
  'Strong breeze',
  'Near gale',
  'Gale',
  'Strong gale',
  'Storm',
  'Violent storm',
  'Hurricane',
] as const;

/** `WSW`, of degrees clockwise from north. */
export function compassPoint(degrees: number): string {
  return points[((Math.round(degrees / 22.5) % 16) + 16) % 16] ?? 'N';
}

/** `southwest`, for a screen reader. */
export function spokenDirection(degrees: number): string {
  return spoken[((Math.round(degrees / 45) % 8) + 8) % 8] ?? 'north';
}

/** `Gentle breeze`, of a force on the Beaufort scale. */
export function forceName(force: number): string {
  return forces[Math.max(0, Math.min(12, Math.round(force)))] ?? 'Calm';
}
