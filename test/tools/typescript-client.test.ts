// clients/typescript: its types are those of the service's document, and the installed package works against the real
// service. The examples of the website run as published.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { CallbackError, createClient, TokenError, verifyCallback } from '#clients/typescript/src/index.ts';
import { sandboxWebhookSecretsSchema } from '#contract/service-api/sandbox.ts';
import { createService, type Service } from '#service/app/create-service.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { configWith } from '#service/config/config.ts';
import { type Callback, startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { apiCaller, fetchToken } from '#test/service/monitor-service.ts';
import { installTools } from './install-listed.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const packageFolder = join(project, 'clients/typescript');
const generatedFile = join(packageFolder, 'src/paths.ts');
const run = promisify(execFile);
const node = process.execPath;

let folder: string;
let service: Service;
let tools: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rainbell-client-'));
  service = await createService({
    config: configWith({ port: 0, dataFolder: join(folder, 'data'), provider: 'simulation' }),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    workers: { places: new URL('../../service/places/places-worker.ts', import.meta.url) },
  });
  tools = await installTools();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the types of clients/typescript are those of the OpenAPI document (npm run client-types)', async () => {
  const { baseUrl } = introductionOf(service);
  const document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${baseUrl}/v2/openapi.json`)).text());
  const output = join(folder, 'paths.ts');
  await run(node, [join(tools, 'node_modules/openapi-typescript/bin/cli.js'), document, '-o', output], { cwd: folder });
  const generated = readFileSync(output, 'utf8');
  expect(generated).not.toContain(baseUrl);
  if (process.env['UPDATE_CLIENT_TYPES']) writeFileSync(generatedFile, generated);
  // No comparison of texts by the test runner: thousands of lines would take minutes.
  expect(generated === readFileSync(generatedFile, 'utf8'), 'src/paths.ts is up to date').toBe(true);
});

describe('the installed package', () => {
  let installed: string;
  const environment = () => {
    const { clientId, clientSecret } = introductionOf(service);
    return { ...process.env, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, WEBHOOK_SECRET: '' };
  };

  beforeAll(async () => {
    installed = join(folder, 'installed');
    mkdirSync(installed);
    // Built and packed in a copy, so that nothing is left in the repository.
    const copy = join(folder, 'clients/typescript');
    cpSync(packageFolder, copy, { recursive: true, filter: (path) => !path.endsWith('dist') });
    cpSync(join(project, 'tsconfig.json'), join(folder, 'tsconfig.json'));
    const modules = join(project, 'node_modules');
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'standardwebhooks']) {
      cpSync(join(modules, name), join(copy, 'node_modules', name), { recursive: true });
    }
    await run(join(modules, '.bin/tsc'), ['-p', 'tsconfig.build.json'], { cwd: copy });
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: copy });
    const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
    writeFileSync(join(installed, 'package.json'), '{"type":"module"}');
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball], { cwd: installed });
  });

  test('has the built files and nothing else, and its types fit a program', async () => {
    const root = join(installed, 'node_modules/rainbell-client');
    expect(readdirSync(root).toSorted()).toEqual(['README.md', 'dist', 'package.json']);
    const program = `import { createClient, verifyCallback, type Monitor, type WeatherPoint } from 'rainbell-client';
const client = createClient({ baseUrl: 'https://api.example.com', credentials: { accessToken: () => 'x' } });
const { data } = await client.GET('/v2/weather/', { params: { query: { location_lat: 1, location_lng: 2 } } });
const points: WeatherPoint[] = data?.objects ?? [];
const id: Promise<Monitor['id']> = verifyCallback(new Request('https://x'), 'whsec_').then(({ monitor }) => monitor.id);
// @ts-expect-error A location is required.
await client.GET('/v2/weather/', {});
// @ts-expect-error There is no such path.
await client.GET('/v2/nothing/', {});
export { id, points };
`;
    writeFileSync(join(installed, 'program.ts'), program);
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
    ];
    const tsc = join(tools, 'node_modules/typescript/bin/tsc');
    const compiled = run(node, [tsc, ...options, 'program.ts'], { cwd: installed });
    expect((await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }))).stdout).toBe('');
  });

  /** The example of the website's page with that ID. */
  async function example(id: string): Promise<string> {
    const { baseUrl } = introductionOf(service);
    const page = await (await fetch(`${baseUrl}/documentation/`)).text();
    const [, code = ''] = new RegExp(`<code data-example="${id}"\\s*>([^<]*)</code`).exec(page) ?? [];
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
      typescript: ['example.ts', node, ['--disable-warning=ExperimentalWarning']],
    };
    const [file, command, flags] = files[language] ?? ['', '', []];
    writeFileSync(join(installed, file), `${text}\n`);
    const { stdout } = await run(command, [...flags, file], { cwd: installed, env: { ...environment(), ...more } });
    return stdout.trim();
  }

  test.each(['curl', 'python', 'typescript'])('%s reads the weather and creates a monitor', async (language) => {
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

  test('the commands of docs/service.md get a token and the weather', async () => {
    const { baseUrl } = introductionOf(service);
    const [, block = ''] =
      /```sh\n(curl -u[\s\S]*?)```/.exec(readFileSync(join(project, 'docs/service.md'), 'utf8')) ?? [];
    const [token = '', weather = ''] = block.replaceAll('http://127.0.0.1:8420', baseUrl).trim().split('\n');
    const shell = async (command: string, more = {}) =>
      JSON.parse((await run('sh', ['-c', command], { env: { ...environment(), ...more } })).stdout) as Record<
        string,
        unknown
      >;
    const { access_token: accessToken } = await shell(token);
    expect((await shell(weather, { TOKEN: accessToken }))['objects']).toHaveLength(73);
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

  test('curl, Python, and TypeScript accept a real callback, and refuse it with a changed body', async () => {
    const { callback, secret } = await receiveCallback();
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = callback.headers;
    const more = {
      WEBHOOK_SECRET: secret,
      ID: String(id),
      TIMESTAMP: String(time),
      SIGNATURE: String(signature),
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
    writeFileSync(join(installed, 'body.json'), callback.body);
    expect(await runExample('curl', await example('callback-curl'), more)).toBe('genuine');
    expect(await runExample('python', python, more)).toBe('genuine');
    expect(await runExample('typescript', typescript, more)).toBe(
      `${String(id)} ${(JSON.parse(callback.body) as { id: string }).id}\ngenuine`,
    );
    writeFileSync(join(installed, 'body.json'), callback.body.replace('precipitation_', 'precipitation_9'));
    await expect(runExample('curl', await example('callback-curl'), more)).rejects.toMatchObject({ code: 1 });
    expect(await runExample('python', python, more)).toBe('forged');
    expect(await runExample('typescript', typescript, more)).toBe('forged');
  });
});

describe('createClient', () => {
  test('asks for one token, keeps it, and gets another after a 401', async () => {
    const { baseUrl, clientId, clientSecret } = introductionOf(service);
    const asked: string[] = [];
    let spoil = false;
    const client = createClient({
      baseUrl: `${baseUrl}/`,
      credentials: { clientId, clientSecret },
      fetch(request) {
        asked.push(new URL(request.url).pathname);
        if (spoil) request.headers.set('authorization', 'Bearer spoilt');
        return fetch(request);
      },
    });
    const read = () => client.GET('/v2/monitors/');
    const [first] = await Promise.all([read(), read(), read()]);
    expect(first.data?.objects).toEqual(expect.any(Array));
    expect(asked.filter((path) => path === '/token/')).toHaveLength(1);
    spoil = true;
    expect(await read()).toMatchObject({ error: { error: 'invalid_token' }, response: { status: 401 } });
    spoil = false;
    expect((await read()).response.status).toBe(200);
    expect(asked.filter((path) => path === '/token/')).toHaveLength(2);
  });

  test('says why there is no token, and asks again next time', async () => {
    const { baseUrl, clientId, clientSecret } = introductionOf(service);
    const client = createClient({ baseUrl, credentials: { clientId, clientSecret: `${clientSecret}x` } });
    const failure = await client.GET('/v2/monitors/').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TokenError);
    expect(failure).toMatchObject({
      status: 401,
      code: 'invalid_client',
      message: expect.stringContaining('client secret'),
    });
    expect(String(failure)).not.toContain(clientSecret);
  });
});

describe('verifyCallback', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
  const body =
    '{"id":"precipitation_1","monitor_type":"precipitation","geo":{"type":"Point","coordinates":[7.69,45.07]}}';
  const signed = (text: string, at = new Date(), changes: Record<string, string> = {}) => ({
    'webhook-id': 'test_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('test_1', at, text),
    ...changes,
  });
  const post = (headers: Record<string, string>, text: BodyInit = body, method = 'POST') =>
    new Request('http://127.0.0.1/', { method, headers, ...(method === 'GET' ? {} : { body: text }) });

  test('returns what was sent', async () => {
    const at = new Date(1000 * Math.floor(Date.now() / 1000));
    const old = `v1,${'A'.repeat(43)}= ${signed(body, at)['webhook-signature']}`;
    const callback = await verifyCallback(post(signed(body, at, { 'webhook-signature': old })), secret);
    expect(callback).toMatchObject({ eventId: 'test_1', sentAt: at, isTest: true, monitor: { id: 'precipitation_1' } });
  });

  test.each<[string, () => Request, string, string?]>([
    ['another body', () => post(signed(body), body.replace('7.69', '7.7')), 'No matching signature'],
    [
      'another secret',
      () => post(signed(body)),
      'No matching signature',
      `whsec_${Buffer.alloc(24).toString('base64')}`,
    ],
    ['no secret', () => post(signed(body)), 'secret', ''],
    ['a time six minutes ago', () => post(signed(body, new Date(Date.now() - 360_000))), 'too old'],
    ['a time in six minutes', () => post(signed(body, new Date(Date.now() + 360_000))), 'too new'],
    [
      'a time that is none',
      () => post(signed(body, new Date(), { 'webhook-timestamp': '17abc' })),
      'webhook-timestamp',
    ],
    ['no signature', () => post(signed(body, new Date(), { 'webhook-signature': '' })), 'Missing required headers'],
    ['another version', () => post(signed(body, new Date(), { 'webhook-signature': 'v1a,x' })), 'No matching'],
    ['another method', () => post(signed(body), body, 'GET'), 'POST'],
    ['a body that is not JSON', () => post(signed('hello'), 'hello'), 'not JSON'],
    ['a body that is not a monitor', () => post(signed('{"id":1}'), '{"id":1}'), 'not a monitor'],
    ['a body that is not UTF-8', () => post(signed(body), new Uint8Array([0xff, 0xfe])), 'not UTF-8'],
    ['100 KB', () => post(signed(body), 'x'.repeat(100_000)), 'too long to be a callback'],
  ])('refuses %s', async (_name, request, words, key = secret) => {
    const failure = await verifyCallback(request(), key).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CallbackError);
    expect(String(failure)).toContain(words);
    expect(String(failure)).not.toContain(key || secret);
  });
});
