// The table of provider data, so that a restart can serve it at once.
declare module '../../database/tables.ts' {
  interface Tables {
    weather_cache: {
      provider: string;
      cell: string;
      fetched_at: number;
      /** Format version of `body`; other versions are ignored. */
      shape: number;
      /** A CellWeather as JSON, or what a side source returned (side-source.ts). */
      body: string;
    };
    /** Cells that a process is requesting from a provider (shared-lookups.ts). */
    weather_lookups: { provider: string; cell: string; held_until: number };
  }
}

export {};
