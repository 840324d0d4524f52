// The examples of the API documentation and of docs/service.md run as published, against the real service.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { sandboxWebhookSecretsSchema } from '#contract/service-api/sandbox.ts';
import type { Service } from '#service/app/create-service.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { projectFolder } from '#scripts/tool.mjs';
import { type Callback, startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { apiCaller, fetchToken } from '#test/service/monitor-service.ts';
import { createOwnService } from '#test/service/start-own-service.ts';

const run = promisify(execFile);

let folder: string;
let service: Service;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rainbell-examples-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  service = await createOwnService({ dataFolder: join(folder, 'data') });
  return async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  };
});

const environment = () => {
  const { clientId, clientSecret } = introductionOf(service);
  return { ...process.env, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, WEBHOOK_SECRET: '' };
};

/** The example of the website's page with that ID. */
async function example(id: string): Promise<string> {
  const { baseUrl } = introductionOf(service);
  const subject = { weather: 'weather', monitor: 'monitors', callback: 'callbacks' }[id.split('-')[0] ?? ''];
  const page = await (await fetch(`${baseUrl}/documentation/${subject}/`)).text();
  const [, marked = ''] = new RegExp(`data-example="${id}"\\s*>([^]*?)</code`).exec(page) ?? [];
  const code = marked.replaceAll(/<\/?span[^>]*>/g, '');
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  const text = code.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => entities[name] ?? '');
  if (text === '') throw new Error(`The documentation has no example ${id}.`);
  return text;
}

/** Runs a program of that language; returns what it prints. */
async function runExample(language: string, text: string, more: Record<string, string> = {}): Promise<string> {
  const files: Record<string, readonly [string, string, readonly string[]]> = {
    curl: ['example.sh', 'sh', ['-eu']],
    python: ['example.py', 'python3', []],
    typescript: ['example.ts', process.execPath, ['--disable-warning=ExperimentalWarning']],
  };
  const [file, command, flags] = files[language] ?? ['', '', []];
  writeFileSync(join(folder, file), `${text}\n`);
  const { stdout } = await run(command, [...flags, file], { cwd: folder, env: { ...environment(), ...more } });
  return stdout.trim();
}

it.each(['curl', 'python', 'typescript'])('%s reads the weather and creates a monitor', async (language) => {
  const weather = await example(`weather-${language}`);
  const printed = await runExample(language, `${weather}\n${await example(`monitor-${language}`)}`);
  const [status = '', id = ''] = printed.split('\n').slice(-2);
  // curl prints the whole response, which has no line end.
  expect(status).toMatch(language === 'curl' ? /^\{"objects":\[.*\}(precipitation_\d+)?$/ : /^[a-z ]+$/);
  expect(printed).toMatch(/precipitation_\d+$/);
  const introduction = introductionOf(service);
  const call = apiCaller(introduction.baseUrl, await fetchToken(introduction.baseUrl, introduction));
  const created = /precipitation_\d+$/.exec(id || printed)?.[0] ?? '';
  expect((await call('DELETE', `/v2/monitors/${created}/`)).status).toBe(204);
});

it('the commands of docs/service.md get a token and the weather', async () => {
  const { baseUrl } = introductionOf(service);
  const [, block = ''] =
    /```sh\n(curl -u[\s\S]*?)```/.exec(readFileSync(join(projectFolder, 'docs/service.md'), 'utf8')) ?? [];
  const [token = '', weather = ''] = block.replaceAll('http://127.0.0.1:8420', baseUrl).trim().split('\n');
  const shell = async (command: string, more = {}) =>
    JSON.parse((await run('sh', ['-c', command], { env: { ...environment(), ...more } })).stdout) as Record<
      string,
      unknown
    >;
  const { access_token: accessToken } = await shell(token);
  expect((await shell(weather, { TOKEN: accessToken }))['objects']).toHaveLength(73);
});

it('the example of an inbox is a request that it takes: a POST with a body, without a token of the service', async () => {
  const { baseUrl } = introductionOf(service);
  const page = await (await fetch(`${baseUrl}/documentation/callbacks/`)).text();
  const text = page
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"');
  const lines = ["  -H 'Content-Type: application/json'", `  -d '{"id": "evt_1"}'`];
  expect(text).toContain([`curl -X POST '${baseUrl}/in/TOKEN/stripe'`, ...lines].join(' \\\n'));
});

/** A real test event of the service, and the secret that it was signed with. */
async function receiveCallback(): Promise<{ callback: Callback; secret: string }> {
  const introduction = introductionOf(service);
  const call = apiCaller(introduction.baseUrl, await fetchToken(introduction.baseUrl, introduction));
  const endpoint = await startCallbackEndpoint();
  const geo = { lat: -45, lng: -120 };
  const { json } = await call('POST', '/v2/monitors/', {
    monitor_type: 'precipitation',
    callback_uri: endpoint.url,
    geo,
  });
  const { id } = json as { id: string };
  await call('POST', `/v2/monitors/${id}/test-event/`);
  const [callback] = await endpoint.waitFor(1);
  await call('DELETE', `/v2/monitors/${id}/`);
  const { json: secrets } = await call('GET', '/sandbox/webhook-secrets');
  if (!callback) throw new Error('no callback');
  return { callback, secret: sandboxWebhookSecretsSchema.parse(secrets).webhook_secret };
}

it('Python and TypeScript accept a real callback, and refuse it with a changed body', async () => {
  const { callback, secret } = await receiveCallback();
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = callback.headers;
  const more = {
    WEBHOOK_SECRET: secret,
    HEADERS: JSON.stringify({ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature }),
  };
  const python = `${await example('callback-python')}
import json
with open('body.json', 'rb') as file: print('genuine' if is_genuine(json.loads(os.environ['HEADERS']), file.read()) else 'forged')`;
  const typescript = `${await example('callback-typescript')}
import { readFileSync } from 'node:fs';
const headers = JSON.parse(process.env['HEADERS'] ?? '');
const response = await handle(new Request('http://x/', { method: 'POST', headers, body: readFileSync('body.json') }));
console.log(response.status === 204 ? 'genuine' : 'forged');`;
  writeFileSync(join(folder, 'body.json'), callback.body);
  expect(await runExample('python', python, more)).toBe('genuine');
  expect(await runExample('typescript', typescript, more)).toBe(
    `${String(id)} ${(JSON.parse(callback.body) as { id: string }).id}\ngenuine`,
  );
  writeFileSync(join(folder, 'body.json'), callback.body.replace('precipitation_', 'precipitation_9'));
  expect(await runExample('python', python, more)).toBe('forged');
  expect(await runExample('typescript', typescript, more)).toBe('forged');
});
