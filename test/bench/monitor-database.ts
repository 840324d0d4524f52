// Databases full of monitors for the benches, and the measuring of work on them. They are in one temporary folder, which
// goes when the process ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { Database } from '#service/database/open-database.ts';

export const silentLog = pino({ level: 'silent' });

export type Measured = { milliseconds: number; cpuMilliseconds: number };

export async function measure(work: () => Promise<unknown>): Promise<Measured> {
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { milliseconds: performance.now() - started, cpuMilliseconds: (user + system) / 1000 };
}

export type MonitorDatabases = {
  /** A file of that name in the folder. */
  file(name: string): string;
  /** Spreads monitors evenly over cells, written only by SQL. */
  fill(monitors: number, cells: number, callback: (index: number) => string): Promise<Database>;
};

export function createMonitorDatabases(): MonitorDatabases {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-monitors-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  let number = 0;
  return {
    file: (name) => join(folder, name),
    async fill(monitors, cells, callback) {
      const file = join(folder, `${(number += 1)}.sqlite`);
      const database = await openServiceDatabase({ file, clock: systemClock, log: silentLog });
      writeMonitors(file, monitors, cells, callback);
      return database;
    },
  };
}

function writeMonitors(file: string, monitors: number, cells: number, callback: (index: number) => string): void {
  const sqlite = new DatabaseSync(file);
  sqlite.exec('PRAGMA synchronous = OFF; BEGIN');
  // An event without its application is dropped.
  sqlite.exec(`
    INSERT INTO accounts (id, username, username_key, email, email_key, password_hash, is_operator, created_at)
      VALUES ('filler', 'filler', 'filler', 'filler@example.org', 'filler@example.org', '', 0, 0);
    INSERT INTO contracts (id, account_id, plan, created_at) VALUES ('filler', 'filler', 'in-house', 0);
    INSERT INTO applications (id, client_id, account_id, contract_id, name, description, is_public, allows_password, is_sandbox, terms_accepted_at, created_at)
      VALUES ('application', 'filler', 'filler', 'filler', 'Filler', '', 0, 0, 0, 0, 0);
  `);
  const monitor = sqlite.prepare(
    `INSERT INTO monitors (id, application_id, monitor_type, callback_uri, latitude, longitude, cell, created_at, gate_opens_at, failed_events)
     VALUES (?, 'application', 'precipitation', ?, ?, ?, ?, 0, 0, 0)`,
  );
  const cell = sqlite.prepare(
    'INSERT INTO watch_cells (cell, latitude, longitude, monitor_count, next_look_at, held_until) VALUES (?, ?, ?, ?, 0, 0)',
  );
  const place = (index: number) => [(index % 1_700) / 10 - 85, Math.floor(index / 1_700) / 10 - 180] as const;
  for (let index = 0; index < cells; index += 1) cell.run(`cell-${index}`, ...place(index), monitors / cells);
  for (let index = 0; index < monitors; index += 1) {
    const [latitude, longitude] = place(index % cells);
    const at = [String(latitude), String(longitude), `cell-${index % cells}`] as const;
    monitor.run(`precipitation_${index}`, callback(index), ...at);
  }
  sqlite.exec('COMMIT');
  sqlite.close();
}

export const cellNames = (cells: number): string[] => Array.from({ length: cells }, (_, index) => `cell-${index}`);
