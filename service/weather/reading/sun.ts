// The sun's position at a place (docs/interface.md §2.3 `sun_altitude`): degrees above the horizon, including refraction, rounded
// to hundredths. Uses suncalc's formulas (Meeus, Astronomical Algorithms, chapters 12, 16, 22, and 25; a test compares it with
// suncalc), split so that what depends only on the time is computed once for all places: a 73-hour forecast takes 4 µs instead of
// 24.
import { dayMs } from '@rainbell/shared';
import type { LatLng } from '@rainbell/contract/service-api';

/** Position of the sun relative to the rotating Earth at a time; the same for all places. */
export type SunTerms = { sinDeclination: number; cosDeclination: number; greenwichHourAngle: number };

const radians = Math.PI / 180;
const j2000 = 946_728_000_000;

/** Returns a function for the altitude over one place, at times with known terms. */
export function sunOver({ lat, lng }: LatLng): (terms: SunTerms) => number {
  const sinLatitude = Math.sin(lat * radians);
  const cosLatitude = Math.cos(lat * radians);
  const longitude = lng * radians;
  return ({ sinDeclination, cosDeclination, greenwichHourAngle }) => {
    const altitude = Math.asin(
      sinLatitude * sinDeclination + cosLatitude * cosDeclination * Math.cos(greenwichHourAngle + longitude),
    );
    return Math.round(((altitude + refraction(altitude)) / radians) * 100) / 100 + 0;
  };
}

export function sunTermsAt(instant: number): SunTerms {
  const days = (instant - j2000) / dayMs;
  const { rightAscension, declination } = equatorialPosition((days + secondsOfDrift(days) / 86_400) / 36_525);
  const siderealTime = radians * (280.46061837 + 360.98564736629 * days);
  return {
    sinDeclination: Math.sin(declination),
    cosDeclination: Math.cos(declination),
    greenwichHourAngle: siderealTime - rightAscension,
  };
}

/** Meeus, chapter 25: the sun's apparent place, `t` in Julian centuries of terrestrial time since 2000. */
function equatorialPosition(t: number): { rightAscension: number; declination: number } {
  const meanLongitude = radians * (280.46646 + t * (36_000.76983 + t * 0.0003032));
  const anomaly = radians * (357.52911 + t * (35_999.05029 - t * 0.0001537));
  const centre =
    (1.914602 - t * (0.004817 + t * 0.000014)) * Math.sin(anomaly) +
    (0.019993 - 0.000101 * t) * Math.sin(2 * anomaly) +
    0.000289 * Math.sin(3 * anomaly);
  const node = radians * (125.04 - 1934.136 * t);
  const longitude = meanLongitude + radians * (centre - 0.00569 - 0.00478 * Math.sin(node));
  const obliquity =
    radians * (23.439291 - t * (0.0130042 + t * (0.00000016 - t * 0.000000504)) + 0.00256 * Math.cos(node));
  return {
    rightAscension: Math.atan2(Math.cos(obliquity) * Math.sin(longitude), Math.cos(longitude)),
    declination: Math.asin(Math.sin(obliquity) * Math.sin(longitude)),
  };
}

/** Terrestrial minus universal time, accurate within minutes for centuries; a minute moves the sun by 0.0007°. */
function secondsOfDrift(days: number): number {
  const years = days / 365.2425;
  return 62.92 + years * (0.32217 + years * 0.005589);
}

/** Meeus 16.4, for an altitude in radians; below the horizon what it is at the horizon. */
function refraction(altitude: number): number {
  return altitude > 0 ? refractionAbove(altitude) : refractionAtHorizon;
}

function refractionAbove(altitude: number): number {
  return 0.0002967 / Math.tan(altitude + 0.00312536 / (altitude + 0.08901179));
}

const refractionAtHorizon = refractionAbove(0);
