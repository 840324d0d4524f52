// The least that a durable receiver can be: bare node:http, one row a callback in a group commit, answered when it is on disk. It
// has no limits, rules, checks, counters or live list, and shows what a receiver costs on this machine before it has any.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

type Waiting = { request: IncomingMessage; response: ServerResponse; body: Buffer };

const mostRows = 512;
const mostBytes = 8 * 1024 * 1024;

export function createSmallestReceiver(file: string): Server {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;');
  db.exec(
    'CREATE TABLE callbacks (id INTEGER PRIMARY KEY, received_at INTEGER, method TEXT, target TEXT, headers TEXT, body BLOB)',
  );
  const insert = db.prepare(
    'INSERT INTO callbacks (received_at, method, target, headers, body) VALUES (?, ?, ?, ?, ?)',
  );
  let waiting: Waiting[] = [];

  function takeBatch(): Waiting[] {
    let bytes = 0;
    const end = waiting.findIndex(({ body }, index) => index === mostRows || (bytes += body.length) > mostBytes);
    const batch = end === -1 ? waiting : waiting.slice(0, Math.max(1, end));
    waiting = end === -1 ? [] : waiting.slice(batch.length);
    return batch;
  }

  function flush(): void {
    const batch = takeBatch();
    db.exec('BEGIN IMMEDIATE');
    for (const { request, body } of batch) {
      insert.run(Date.now(), request.method ?? '', request.url ?? '', JSON.stringify(request.rawHeaders), body);
    }
    db.exec('COMMIT');
    for (const { response } of batch) {
      response.writeHead(200, { 'content-length': '0' });
      response.end();
    }
    if (waiting.length > 0) setImmediate(flush);
  }

  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      waiting.push({ request, response, body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) });
      if (waiting.length === 1) setImmediate(flush);
    });
  });
}
