// The least that a service can be that has routes and keeps something: Fastify on a SQLite file. Prints its address when it
// listens. start.bench.ts bundles it, as ours is.
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';

const [, , file = ''] = process.argv;
const db = new DatabaseSync(file);
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS things (id INTEGER)');
const server = Fastify();
server.get('/', async () => ({}));
void server.listen({ port: 0, host: '127.0.0.1' }).then((address) => console.log(address));
// Node keeps what it compiled when the process ends in order.
process.once('SIGTERM', () => process.exit(0));
