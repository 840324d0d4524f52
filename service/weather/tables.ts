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
