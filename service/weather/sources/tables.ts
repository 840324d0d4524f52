// The table of what weather providers said, so that a restart serves at once.
export type WeatherTables = {
  weather_cache: {
    provider: string;
    cell: string;
    fetched_at: number;
    /** Which shape `body` has; another program's is not read. */
    shape: number;
    /** A CellWeather as JSON. */
    body: string;
  };
};

declare module '#service/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends WeatherTables {}
}
