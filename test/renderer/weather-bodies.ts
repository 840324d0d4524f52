// Bodies of `GET /v2/weather/` for the screens: an ordinary three days, and the odd ones that screens must bear.
import { formatTimestamp } from '#shared/time/timestamp.ts';

export type Body = { objects: unknown[]; meta: object };

type Point = {
  timestamp: string;
  weather: Record<string, unknown>;
  geo: { type: 'Point'; coordinates: [number, number] };
  location?: Record<string, string>;
  icon: string;
  sun_altitude: number;
  sources?: string[];
};

export type BodyOptions = {
  /** The first point's instant, epoch milliseconds. */
  now: number;
  count?: number;
  stepMs?: number;
  /** Statuses by hour, repeated. */
  statuses?: readonly string[];
  iconBase?: string;
  place?: { lat: number; lng: number };
  hasMeasured?: boolean;
  /** Degrees added to the sun's altitude; 60 is a polar day, -60 a polar night. */
  sunShift?: number;
  change?: (point: Point, index: number) => unknown;
};

const hourMs = 3_600_000;

const ordinary = [
  ...Array<string>(3).fill('partly cloudy'),
  ...Array<string>(4).fill('cloudy'),
  ...Array<string>(5).fill('rainy'),
  ...Array<string>(2).fill('stormy'),
  ...Array<string>(4).fill('cloudy'),
  ...Array<string>(9).fill('sunny'),
  ...Array<string>(6).fill('foggy'),
  ...Array<string>(8).fill('sunny'),
  ...Array<string>(5).fill('windy'),
  ...Array<string>(4).fill('snow flurries'),
  ...Array<string>(6).fill('snowy'),
  ...Array<string>(3).fill('hailing'),
  ...Array<string>(14).fill('cloudy'),
];

const icons: Readonly<Record<string, readonly [string, string]>> = {
  sunny: ['sunny', 'clear_moon'],
  'partly cloudy': ['partly_sunny', 'partly_moon'],
  'snow flurries': ['snow_flurries', 'snow_flurries'],
};

/** Now, then full hours. */
export function weatherBody(options: BodyOptions): Body {
  const { now, count = 73, stepMs = hourMs, change = (point) => point } = options;
  const firstHour = Math.ceil((now + 1) / stepMs) * stepMs;
  const instants = Array.from({ length: count }, (_, index) => (index === 0 ? now : firstHour + (index - 1) * stepMs));
  return { objects: instants.map((at, index) => change(pointAt(at, options), index)), meta: {} };
}

function pointAt(at: number, options: BodyOptions): Point {
  const { statuses = ordinary, iconBase = 'http://127.0.0.1:1', place = { lat: 45.0703, lng: 7.6869 } } = options;
  const hour = Math.floor((at - options.now) / hourMs);
  const status = statuses[Math.max(0, hour) % statuses.length] ?? 'unknown';
  const sun = sunAltitude(at, place.lng) + (options.sunShift ?? 0);
  const [day, night] = icons[status] ?? [status, status];
  return {
    timestamp: formatTimestamp(at),
    weather: { status, ...(options.hasMeasured === false ? {} : { measured: measured(status, hour, sun) }) },
    geo: {
      type: 'Point',
      coordinates: [Number((place.lng + 0.0006).toFixed(4)), Number((place.lat - 0.0078).toFixed(4))],
    },
    location: { locality: 'Torino', country: 'Italy' },
    icon: `${iconBase}/v2/icons/${sun > 0 ? day : night}`,
    sun_altitude: Number(sun.toFixed(1)),
    sources: ['open-meteo'],
  };
}

function sunAltitude(at: number, lng: number): number {
  const hours = (at / hourMs + lng / 15) % 24;
  return -15 - 43 * Math.cos((hours / 24) * 2 * Math.PI);
}

function measured(status: string, hour: number, sun: number) {
  const wet = ['rainy', 'stormy', 'snowy', 'hailing', 'snow flurries'].includes(status);
  const amount = wet ? Number((0.4 + 1.6 * Math.abs(Math.sin(hour))).toFixed(1)) : 0;
  return {
    temperature: Number((278 + sun / 9 + 2 * Math.sin(hour / 9)).toFixed(2)),
    humidity: 70,
    pressure: 1013,
    wind_speed: Number((3 + 2.5 * Math.sin(hour / 6)).toFixed(1)),
    wind_direction: (hour * 17) % 360,
    // 7 mm of snow are 1 mm of water.
    ...(status.startsWith('snow') ? { snowfall: Number((amount * 7).toFixed(1)) } : { rainfall: amount }),
  };
}
