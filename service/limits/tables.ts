declare module '../database/tables.ts' {
  interface Tables {
    /**
     * What all processes on one PostgreSQL count together, as rate-limiter-flexible writes it. Not on SQLite. `expire`: in epoch
     * milliseconds by the clock of the process that started the window.
     */
    limits: { key: string; points: number; expire: number | null };
  }
}

export {};
