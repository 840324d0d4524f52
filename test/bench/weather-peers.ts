// The servers that weather.bench.ts compares with: prism and mockoon mock our weather answer, nginx sends it as a file. Each
// wants a token; mockoon and nginx send the same gzip bytes, and 304 to who has them, which prism cannot.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type ChildServer, startChildServer } from './child-server.ts';
import { freePort } from '#test/setup/free-ports.ts';

/** What the service sent: the peers send the same. */
export type RecordedAnswer = { gzip: Buffer; etag: string; token: string };
export type Peer = ChildServer & { baseUrl: string };

const path = 'v2/weather/';

export async function startPrism(folder: string, peers: string, { gzip }: RecordedAnswer): Promise<Peer> {
  const document = join(folder, 'prism.json');
  const json = (example: unknown) => ({ description: 'weather', content: { 'application/json': { example } } });
  const operation = {
    security: [{ bearer: [] }],
    responses: { 200: json(JSON.parse(gunzipSync(gzip).toString())) },
  };
  const parameters = ['location_lat', 'location_lng'].map((name) => ({
    name,
    in: 'query',
    required: true,
    schema: { type: 'number' },
  }));
  const openApi = {
    openapi: '3.0.3',
    info: { title: 'weather', version: '1' },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths: { [`/${path}`]: { get: { ...operation, parameters } } },
  };
  writeFileSync(document, JSON.stringify(openApi));
  const program = join(peers, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const port = await freePort();
  const options = ['-h', '127.0.0.1', '-p', String(port), '-v', 'silent', '--errors'];
  return started([program, 'mock', document, ...options], port);
}

export async function startMockoon(folder: string, peers: string, answer: RecordedAnswer): Promise<Peer> {
  const file = join(folder, 'mockoon.json');
  const port = await freePort();
  writeFileSync(file, JSON.stringify(mockoonEnvironment(folder, port, answer)));
  const program = join(peers, 'node_modules/@mockoon/cli/bin/run.js');
  const options = ['--disable-log-to-file', '--disable-admin-api', '--max-transaction-logs', '0', '--repair'];
  return started([program, 'start', '--data', file, ...options], port);
}

export async function startNginx(folder: string, nginx: string, answer: RecordedAnswer): Promise<Peer> {
  const root = join(folder, 'nginx');
  mkdirSync(root);
  writeFileSync(join(root, 'weather.json'), gunzipSync(answer.gzip));
  writeFileSync(join(root, 'weather.json.gz'), answer.gzip);
  const port = await freePort();
  const file = join(root, 'nginx.conf');
  writeFileSync(file, nginxConfiguration(root, port, answer.token));
  return startedBy(nginx, ['-c', file, '-p', root, '-e', 'stderr'], port);
}

function nginxConfiguration(root: string, port: number, token: string): string {
  return `
    daemon off; master_process off; pid ${root}/pid;
    events { worker_connections 1024; }
    http {
      access_log off; keepalive_requests 100000000; sendfile on; tcp_nopush on;
      client_body_temp_path ${root}/body; proxy_temp_path ${root}/proxy; fastcgi_temp_path ${root}/fastcgi;
      uwsgi_temp_path ${root}/uwsgi; scgi_temp_path ${root}/scgi;
      server {
        listen 127.0.0.1:${port};
        root ${root};
        location /${path} {
          if ($http_authorization != "Bearer ${token}") { return 401; }
          default_type application/json;
          gzip_static on;
          rewrite ^ /weather.json break;
        }
      }
    }`;
}

/** As mockoon 9 writes it; what is left out, `--repair` fills in. */
function mockoonEnvironment(folder: string, port: number, { gzip, etag, token }: RecordedAnswer): object {
  const filePath = join(folder, 'answer.json.gz');
  writeFileSync(filePath, gzip);
  const header = (modifier: string, value: string) => ({ target: 'header', modifier, value, operator: 'equals' });
  const isAllowed = header('authorization', `Bearer ${token}`);
  const response = (statusCode: number, rules: object[], body: object = {}) => ({
    uuid: `response-${statusCode}`,
    statusCode,
    headers: [{ key: 'Content-Type', value: 'application/json; charset=utf-8' }],
    bodyType: 'INLINE',
    body: '',
    disableTemplating: true,
    rules,
    rulesOperator: 'AND',
    default: rules.length === 0,
    ...body,
  });
  const headers = ['Content-Type: application/json; charset=utf-8', 'Content-Encoding: gzip', `ETag: ${etag}`];
  const file = {
    bodyType: 'FILE',
    filePath,
    sendFileAsBody: true,
    headers: headers.map((line) => ({ key: line.split(': ')[0], value: line.slice(line.indexOf(': ') + 2) })),
  };
  const responses = [
    response(304, [isAllowed, header('if-none-match', etag)]),
    response(200, [isAllowed], file),
    response(401, []),
  ];
  const route = { uuid: 'weather', type: 'http', method: 'get', endpoint: path, responses };
  return {
    uuid: 'rainbell',
    lastMigration: 33,
    name: 'weather',
    port,
    hostname: '127.0.0.1',
    routes: [route],
    rootChildren: [{ type: 'route', uuid: 'weather' }],
  };
}

function started(args: string[], port: number): Promise<Peer> {
  return startedBy(process.execPath, args, port);
}

async function startedBy(command: string, args: string[], port: number): Promise<Peer> {
  const baseUrl = `http://127.0.0.1:${port}`;
  const server = await startChildServer({ command, args, address: `${baseUrl}/` });
  return { ...server, baseUrl };
}
