// Describes how far a grid point is from the requested place.

/** In the order of their bearings: 0°, 45°, and so on. */
const inDirection: readonly ((km: string) => string)[] = [
  (km) => `${km} km north of the requested location`,
  (km) => `${km} km northeast of the requested location`,
  (km) => `${km} km east of the requested location`,
  (km) => `${km} km southeast of the requested location`,
  (km) => `${km} km south of the requested location`,
  (km) => `${km} km southwest of the requested location`,
  (km) => `${km} km west of the requested location`,
  (km) => `${km} km northwest of the requested location`,
];

/** `2.1 km east of the requested location`; under 50 m the grid point is the place itself. */
export function distanceFromQuery(km: number, bearingDegrees: number | null): string {
  if (km < 0.05) return 'the requested location';
  const distance = km < 10 ? km.toFixed(1) : String(Math.round(km));
  const write = bearingDegrees === null ? undefined : inDirection[Math.round(bearingDegrees / 45) % 8];
  return write ? write(distance) : `${distance} km from the requested location`;
}
