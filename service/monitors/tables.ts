// Tables of monitors (docs/interface.md §2.2), with the hourly gate of each (§6), and of the weather cells that have
// any.
import type { Generated } from 'kysely';

export type MonitorTables = {
  monitors: {
    /** `precipitation_<digits>`, never used twice. */
    id: string;
    application_id: string;
    monitor_type: string;
    callback_uri: string;
    /** Decimal text, so that −0 and every digit come back as they were sent. */
    latitude: string;
    longitude: string;
    /** The weather's grid cell: monitors are found by it. */
    cell: string;
    created_at: number;
    /**
     * The gate of docs/interface.md §6: no event before this instant. An event moves it one hour past the event's own;
     * 0: no event yet.
     */
    gate_opens_at: number;
    /** The latest timestamp of an event, also if the clock was ahead at that time; 0: no event yet. */
    latest_event_at: Generated<number>;
    /**
     * Instant since which nothing is delivered, because the callback seems dead (docs/delivery.md S10); null:
     * delivering.
     */
    off_since: number | null;
    off_reason: string | null;
    /** Events in a row of which no attempt succeeded. */
    failed_events: number;
    /** Events that a callback accepted, and those of which every attempt failed. */
    delivered_count: number;
    failed_count: number;
    /** The outcomes of the last events, oldest first: d delivered, f failed; at most 22. */
    recent_events: Generated<string>;
  };
  /** One row per cell that has monitors, so that a sweep costs by cell and processes can share cells. */
  watch_cells: {
    cell: string;
    /** A place in the cell to ask the weather for: where its first monitor stands. */
    latitude: number;
    longitude: number;
    monitor_count: number;
    /** When the weather of this cell is looked at next. */
    next_look_at: number;
    /** A process that is looking now holds the cell until this instant; 0: free. */
    held_until: number;
  };
  /** One row, `name = 'monitor'`: the highest number given so far. It outlives the monitors themselves. */
  identifiers: { name: string; last_number: number };
};

declare module '#service/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends MonitorTables {}
}
