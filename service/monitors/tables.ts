// Tables of monitors (docs/interface.md §2.2), with each one's cool-down (§6), and of the weather cells with monitors.
import { bigint, byDefault, double, integer, orNull, type RowsOf, table, text } from '../database/table.ts';

export const monitorTables = {
  monitors: table(
    {
      /** `precipitation_<digits>`, never reused. */
      id: text('PRIMARY KEY'),
      application_id: text(),
      monitor_type: text(),
      callback_uri: text(),
      /** The `user:password` for the host of `callback_uri`, encrypted (secret-seal.ts); null: none. */
      callback_credentials: orNull(text()),
      /** Decimal text, so that −0 and every digit are returned as sent. */
      latitude: text(),
      longitude: text(),
      /** The weather's grid cell, used to find monitors. */
      cell: text(),
      created_at: bigint(),
      /**
       * End of the cool-down (docs/interface.md §6): no event before this time. An event sets it to one hour later; 0: no event yet.
       */
      gate_opens_at: bigint(),
      /** The latest timestamp of an event, even if the clock was ahead then; 0: no event yet. */
      latest_event_at: byDefault(bigint(), 0),
      /** When delivery stopped because the callback seems dead (docs/delivery.md S10); null: delivering. */
      off_since: orNull(bigint()),
      off_reason: orNull(text()),
      /** Consecutive failed events. */
      failed_events: integer(),
      /** The optional members `payload`, `events`, and `conditions` as JSON; null: the interface's callback. */
      rules: orNull(text()),
      /** With rules: the state of its episode of precipitation, as JSON (sweep/decide-episode.ts). */
      episode: orNull(text()),
    },
    {
      indexes: {
        monitors_by_application: '(application_id, id)',
        // Exactly the query of a claim: the monitors of a cell that are not in cool-down.
        monitors_by_gate: '(cell, gate_opens_at)',
        // Exactly the query for incidents (incidents.ts).
        monitors_failing: '(application_id) WHERE failed_events > 0 OR off_since IS NOT NULL',
        // A sweep asks for the few monitors with rules in its cells.
        monitors_with_rules: '(cell) WHERE rules IS NOT NULL',
      },
    },
  ),
  /** One row per cell that has monitors, so that a sweep costs by cell and processes can share cells. */
  watch_cells: table(
    {
      cell: text('PRIMARY KEY'),
      /** The point in the cell to fetch weather for: the location of its first monitor. */
      latitude: double(),
      longitude: double(),
      monitor_count: integer(),
      next_look_at: bigint(),
      /** The checking process leases the cell until this time; 0: free. */
      held_until: bigint(),
    },
    { indexes: { watch_cells_due: '(next_look_at)' } },
  ),
};

declare module '../database/tables.ts' {
  interface Tables extends RowsOf<typeof monitorTables> {}
}
