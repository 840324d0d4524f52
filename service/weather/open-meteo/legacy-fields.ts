// Mirrors and older versions of Open-Meteo use older names (`weathercode`, `current_weather`): converts them to today's before
// parsing.

const namesToday: Readonly<Record<string, string>> = {
  weathercode: 'weather_code',
  windspeed: 'wind_speed_10m',
  windspeed_10m: 'wind_speed_10m',
  winddirection: 'wind_direction_10m',
  winddirection_10m: 'wind_direction_10m',
  temperature: 'temperature_2m',
  relativehumidity_2m: 'relative_humidity_2m',
  dewpoint_2m: 'dew_point_2m',
};

const blocksToday: Readonly<Record<string, string>> = {
  current_weather: 'current',
  current_weather_units: 'current_units',
};

const blocks = ['current', 'current_units', 'hourly', 'hourly_units'];

/** Keeps values that already have today's name; returns anything that is not an object unchanged. */
export function renameLegacyFields(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const renamed = rename(body, blocksToday);
  for (const block of blocks) {
    const values = renamed[block];
    if (isRecord(values)) renamed[block] = rename(values, namesToday);
  }
  return renamed;
}

function rename(values: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>) {
  const old = Object.entries(values).filter(([name]) => Object.hasOwn(names, name));
  return { ...Object.fromEntries(old.map(([name, value]) => [names[name] ?? name, value])), ...values };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
