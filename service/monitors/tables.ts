// The table of monitors (§2.2), with the hourly gate of each (§6).
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
    /** The weather's grid cell, as the watch names it. */
    cell: string;
    created_at: number;
    /** Instant of the last event, the gate of §6: the next is allowed an hour later. Null: none yet. */
    last_event_at: number | null;
  };
  /** One row, `name = 'monitor'`: the highest number given so far. It outlives the monitors themselves. */
  identifiers: { name: string; last_number: number };
};
