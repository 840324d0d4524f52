// Formats directions of the wind.

const points = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');
const spoken = 'north northeast east southeast south southwest west northwest'.split(' ');

/** `WSW`, of degrees clockwise from north. */
export function compassPoint(degrees: number): string {
  return points[((Math.round(degrees / 22.5) % 16) + 16) % 16] ?? 'N';
}

/** `southwest`, for a screen reader. */
export function spokenDirection(degrees: number): string {
  return spoken[((Math.round(degrees / 45) % 8) + 8) % 8] ?? 'north';
}
