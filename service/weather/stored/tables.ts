// Tables of provider data, so that a restart can serve it at once.
import { bigint, integer, type RowsOf, table, text } from '../../database/table.ts';

export const weatherTables = {
  weather_cache: table(
    {
      provider: text(),
      cell: text(),
      fetched_at: bigint(),
      /** Format version of `body`; other versions are ignored. */
      shape: integer(),
      /** A CellWeather as JSON, or what a side source returned (side-source.ts). */
      body: text(),
    },
    {
      constraint: 'CONSTRAINT weather_cache_key PRIMARY KEY (provider, cell)',
      indexes: { weather_cache_by_age: '(fetched_at)' },
    },
  ),
  /** Cells that a process is requesting from a provider (shared-lookups.ts). A server crash loses only leases that soon end. */
  weather_lookups: table(
    { provider: text(), cell: text(), held_until: bigint() },
    { constraint: 'CONSTRAINT weather_lookups_key PRIMARY KEY (provider, cell)', isUnlogged: true },
  ),
};

declare module '../../database/tables.ts' {
  interface Tables extends RowsOf<typeof weatherTables> {}
}
