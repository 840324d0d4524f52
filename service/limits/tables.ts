// Tables of what all processes on one PostgreSQL count together (fleet-counters.ts, shared-pauses.ts). A process on SQLite uses
// neither.

export type LimitTables = {
  counters: {
    key: string;
    /** When the window ends, in milliseconds. */
    ends_at: number;
    used: number;
  };
  /** Hosts and providers that get no requests for a while. */
  pauses: {
    /** `host` or `provider`. */
    kind: string;
    name: string;
    /** 0: it answers again. */
    failures: number;
    /** By the lease clock; null in rows of earlier versions. */
    failing_since: number | null;
    rest_ms: number;
    /** By the lease clock. */
    rests_until: number;
    reason: string;
    changed_at: number;
    /** The process that wrote it. */
    writer: string;
  };
};

declare module '#service/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends LimitTables {}
}
