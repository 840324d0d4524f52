// Tables of monitors (docs/interface.md §2.2), with each one's cool-down (§6), and of the weather cells with monitors.
import type { Generated } from 'kysely';

declare module '../database/tables.ts' {
  interface Tables {
    monitors: {
      /** `precipitation_<digits>`, never reused. */
      id: string;
      application_id: string;
      monitor_type: string;
      callback_uri: string;
      /** The `user:password` for the host of `callback_uri`, encrypted (secret-seal.ts); null: none. */
      callback_credentials: string | null;
      /** Decimal text, so that −0 and every digit are returned as sent. */
      latitude: string;
      longitude: string;
      /** The weather's grid cell, used to find monitors. */
      cell: string;
      created_at: number;
      /**
       * End of the cool-down (docs/interface.md §6): no event before this time. An event sets it to one hour later; 0: no event yet.
       */
      gate_opens_at: number;
      /** The latest timestamp of an event, even if the clock was ahead then; 0: no event yet. */
      latest_event_at: Generated<number>;
      /** When delivery stopped because the callback seems dead (docs/delivery.md S10); null: delivering. */
      off_since: number | null;
      off_reason: string | null;
      /** Consecutive failed events. */
      failed_events: number;
      /** The optional members `payload`, `events`, and `conditions` as JSON; null: the interface's callback. */
      rules: string | null;
      /** With rules: the state of its episode of precipitation, as JSON (sweep/decide-episode.ts). */
      episode: string | null;
    };
    /** One row per cell that has monitors, so that a sweep costs by cell and processes can share cells. */
    watch_cells: {
      cell: string;
      /** The point in the cell to fetch weather for: the location of its first monitor. */
      latitude: number;
      longitude: number;
      monitor_count: number;
      /** When this cell's weather is checked next. */
      next_look_at: number;
      /** The checking process leases the cell until this time; 0: free. */
      held_until: number;
    };
    /** `monitor`: the highest assigned number, which outlives the monitors. The ID of an application: how often its monitors changed. */
    identifiers: { name: string; last_number: number };
  }
}
