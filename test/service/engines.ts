// The databases on which the service's tests run: a SQLite file, and a database of the run's PostgreSQL
// (test/setup/run-databases.ts).
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import type { DatabaseLocation } from '#service/database/open-database.ts';

export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** Where a new, empty database of that kind is; `folder` is the test's own. It ends with the test. */
export async function newDatabase(engine: Engine, folder: string): Promise<DatabaseLocation> {
  return engine === 'sqlite' ? { file: join(folder, 'service.sqlite') } : { url: await newPostgres() };
}

/** The URL of a new database of the run's PostgreSQL. */
export async function newPostgres(): Promise<string> {
  const server = inject('databasesUrl');
  const url = await sendRequest(server, 'POST');
  onTestFinished(async () => void (await sendRequest(`${server}${new URL(url).pathname}`, 'DELETE')));
  return url;
}

async function sendRequest(url: string, method: string): Promise<string> {
  const response = await fetch(url, { method });
  const text = await response.text();
  if (!response.ok) throw new Error(`The run's PostgreSQL failed: ${text}`);
  return text;
}
