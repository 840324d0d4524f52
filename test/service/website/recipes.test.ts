// Each page of docs/recipes as published: its command makes a monitor, whose test events reach a stand-in of the product's endpoint. It
// checks what the product's documentation requires, and answers like the product.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { projectFolder } from '#scripts/tool.mjs';
import type { Service } from '#service/app/create-service.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { readCommand } from '#service/operator/command-line.ts';
import { optionsOf, products, type Product } from '#service/setup/products.ts';
import { parsePlace } from '#service/setup/set-up.ts';
import { type Callback, startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { eventually } from '#test/service/eventually.ts';
import { apiCaller, fetchToken } from '#test/service/monitor-service.ts';
import { createOwnService } from '#test/service/start-own-service.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { noteMissing } from '#test/setup/missing.ts';
import { sandboxWebhookSecretsSchema } from '#contract/service-api/sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'rainbell-recipes-'));
let service: Service;
let call: ReturnType<typeof apiCaller>;

beforeAll(async () => {
  service = await createOwnService({ dataFolder: folder, simulatedRain: 'off' });
  const introduction = introductionOf(service);
  call = apiCaller(introduction.baseUrl, await fetchToken(introduction.baseUrl, introduction));
  return async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  };
});

const page = (name: string) => readFileSync(join(projectFolder, 'docs/recipes', `${name}.md`), 'utf8');

function block(name: string, language: string): string {
  const code = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(page(name))?.[1];
  if (code === undefined) throw new Error(`docs/recipes/${name}.md has no block of ${language}.`);
  return code;
}

/** The flags of the page's command. */
function commandOf(name: string) {
  const { subject, flags } = readCommand(block(name, 'sh').trim().replaceAll("'", '').split(' '));
  expect([subject, parsePlace(flags.place ?? '')]).toEqual(['setup', expect.any(Object)]);
  return { payload: 'event', events: 'started,ended', callback: '', ...flags };
}

/** Sends test events of these types to `origin` in place of the command's host. */
async function run(name: string, origin: string, types: readonly string[]): Promise<void> {
  const { payload, events, callback } = commandOf(name);
  const created = await call('POST', '/v2/monitors/', {
    monitor_type: 'precipitation',
    callback_uri: origin + callback.replace(/^https?:\/\/[^/]+/, ''),
    geo: { lat: 59.91, lng: 10.75 },
    ...optionsOf(payload as Product['payload'], events),
  });
  expect([name, created.status, created.text]).toEqual([name, 201, expect.any(String)]);
  const { id } = created.json as { id: string };
  for (const type of types) {
    const { event_id } = (await call('POST', `/v2/monitors/${id}/test-event/`, { type: `precipitation.${type}` }))
      .json as { event_id: string };
    const attempt = await eventually(async () => {
      const { objects } = (await call('GET', `/v2/events/?monitor=${id}`)).json as {
        objects: { id: string; attempts: { error: string | null }[] }[];
      };
      const found = objects.find(({ id: event }) => event === event_id)?.attempts[0];
      expect(found).toBeDefined();
      return found;
    });
    expect([name, type, attempt?.error]).toEqual([name, type, null]);
  }
}

/** A product's endpoint: its answer, and what it received. A check that throws answers 400. */
async function standIn(answer: readonly [number, string], check: (callback: Callback) => void) {
  const problems: unknown[] = [];
  const endpoint = await startCallbackEndpoint((callback, response) => {
    try {
      check(callback);
      response.writeHead(answer[0]).end(answer[1]);
    } catch (error) {
      problems.push(error);
      response.writeHead(400).end();
    }
  });
  return { origin: `http://127.0.0.1:${endpoint.port}`, received: endpoint.received, problems };
}

type Body = { [name: string]: unknown };
const json = ({ headers, body }: Callback) => {
  expect(headers['content-type']).toMatch(/^application\/json\b/);
  return JSON.parse(body) as Body;
};
/** The value at `data.is_test`; fails if a step is missing. */
function at(body: Body, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    expect(value).toHaveProperty(name);
    return (value as Body)[name];
  }, body);
}

const names = products.map(({ id }) => (id === 'own' ? 'own-program' : id));

describe('docs/recipes', () => {
  it('has a page for each product of the setup, and the index leads to each', () => {
    const pages = globSync('docs/recipes/*.md', { cwd: projectFolder }).map((file) => file.slice(13, -3));
    expect(pages.filter((name) => name !== 'README').toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(page('README')).toContain(`(${name}.md)`);
  });

  it.each(names)('%s says what happens without an event', (name) => {
    expect(page(name)).toContain('\n## If one is lost\n');
    expect(page(name)).toMatch(name === 'own-program' ? /\n## Node\n/ : /\n## Signature\n/);
  });

  it('Home Assistant: the webhook, its ID, and every member that a template reads', async () => {
    const automation = parse(block('home-assistant', 'yaml')) as {
      triggers: [{ trigger: string; webhook_id: string; allowed_methods: string[] }];
    };
    const [trigger] = automation.triggers;
    expect(trigger).toMatchObject({ trigger: 'webhook', allowed_methods: ['POST'] });
    const used = [...block('home-assistant', 'yaml').matchAll(/trigger\.json\.([\w.]+)/g)].map(([, path = '']) => path);
    expect(used.length).toBeGreaterThan(3);
    const awaited = [...block('home-assistant', 'yaml').matchAll(/'(precipitation\.\w+)'/g)].map(([, type]) => type);
    const product = await standIn([200, ''], (callback) => {
      expect([callback.method, callback.path]).toEqual(['POST', `/api/webhook/${trigger.webhook_id}`]);
      const body = json(callback);
      for (const path of used) at(body, path);
      expect([awaited.includes(at(body, 'type') as string), at(body, 'data.is_test')]).toEqual([true, true]);
    });
    await run('home-assistant', product.origin, ['started', 'ended']);
    expect([product.problems, product.received.length]).toEqual([[], 2]);
  });

  it('Node-RED: the flow has the path of the URL, and an output for each event', async () => {
    const nodes = JSON.parse(block('node-red', 'json')) as { type: string; [name: string]: unknown }[];
    const node = (type: string): Body => nodes.find((each) => each.type === type) ?? {};
    const outputs = node('switch')['rules'] as { v: string }[];
    expect(node('http response')['statusCode']).toBe('204');
    const seen: number[] = [];
    const product = await standIn([204, ''], (callback) => {
      expect([callback.method.toLowerCase(), callback.path]).toEqual([
        node('http in')['method'],
        node('http in')['url'],
      ]);
      const value = at({ payload: json(callback) }, node('switch')['property'] as string);
      seen.push(outputs.findIndex(({ v }) => v === value));
    });
    await run('node-red', product.origin, ['started', 'ended']);
    expect([product.problems, seen]).toEqual([[], [0, 1]]);
  });

  it('ntfy: its template makes a title and a message of the event', async () => {
    const notes: string[] = [];
    const product = await standIn([200, '{}'], ({ path, body }) => {
      // Bounds of templates in ntfy's server/server.go.
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(32_768);
      const { pathname, searchParams } = new URL(path, 'http://ntfy');
      expect([pathname, searchParams.get('template')]).toEqual([
        expect.stringMatching(/^\/[-_A-Za-z0-9]{1,64}$/),
        'yes',
      ]);
      expect(Number(searchParams.get('priority'))).toSatisfy((priority) => priority >= 1 && priority <= 5);
      const render = (template: string | null) =>
        (template ?? '').replaceAll(/\{\{\.([\w.]+)\}\}/g, (_, name: string) =>
          String(at(JSON.parse(body) as Body, name)),
        );
      notes.push(`${render(searchParams.get('title'))} | ${render(searchParams.get('message'))}`);
    });
    await run('ntfy', product.origin, ['started', 'ended']);
    expect(product.problems).toEqual([]);
    expect(notes).toEqual([
      expect.stringMatching(/^Test: Rain has started \| .+ near 59\.91, 10\.75 since /),
      expect.stringMatching(/^Test: Rain has ended \| No rain near 59\.91, 10\.75/),
    ]);
  });

  it('Slack, Discord, Teams: the forms that their webhooks accept', async () => {
    const slack = await standIn([200, 'ok'], (callback) => {
      expect(callback.path).toMatch(/^\/services\/\w+\/\w+\/\w+$/);
      expect(Object.entries(json(callback))).toEqual([['text', expect.stringMatching(/<!date\^\d+\^\{time\}\|/)]]);
    });
    const discord = await standIn([204, ''], (callback) => {
      expect(callback.path).toMatch(/^\/api\/webhooks\/\d+\/\w+$/);
      const { content, ...rest } = json(callback) as { content: string };
      expect([content.length <= 2000, /<t:\d+:t>/.test(content), rest]).toEqual([
        true,
        true,
        { allowed_mentions: { parse: [] } },
      ]);
    });
    const teams = await standIn([202, ''], (callback) => {
      expect(Buffer.byteLength(callback.body)).toBeLessThan(28 * 1024);
      expect(json(callback)).toMatchObject({
        type: 'message',
        attachments: [
          { contentType: 'application/vnd.microsoft.card.adaptive', content: { type: 'AdaptiveCard', version: '1.4' } },
        ],
      });
    });
    for (const [name, product] of Object.entries({ slack, discord, teams })) {
      await run(name, product.origin, ['started', 'ended']);
      expect([name, product.problems, product.received.length]).toEqual([name, [], 2]);
    }
  });

  it('OpenSprinkler: the rain delay is in the query, and the seed’s hourly event renews it', async () => {
    const product = await standIn([200, '{"result":1}'], ({ path, headers }) => {
      const { pathname, searchParams } = new URL(path, 'http://device');
      expect([pathname, searchParams.get('pw'), searchParams.get('rd')]).toEqual([
        '/cv',
        expect.stringMatching(/^[0-9a-f]{32}$/),
        '6',
      ]);
      // The device's buffer for the request line and all headers.
      const size = Object.entries(headers).reduce(
        (sum, [name, value]) => sum + name.length + String(value).length + 4,
        0,
      );
      expect(path.length + size).toBeLessThan(1_536);
    });
    expect(commandOf('opensprinkler').payload).toBe('monitor');
    await run('opensprinkler', product.origin, ['started']);
    expect([product.problems, product.received.length]).toEqual([[], 1]);
  });
});

const hasTool = (name: string) => spawnSync(name, ['-c', '']).error === undefined;
const missingPython = hasTool('python3') ? undefined : noteMissing('python3');
const secretOf = async () => {
  const { json: secrets } = await call('GET', '/sandbox/webhook-secrets');
  return sandboxWebhookSecretsSchema.parse(secrets).webhook_secret;
};

describe('docs/recipes/own-program.md', () => {
  const programs = [
    ['js', process.execPath, 'rain.mjs'],
    ['python', 'python3', 'rain.py'],
  ] as const;
  it.each(missingPython === undefined ? programs : programs.slice(0, 1))(
    'its program in %s accepts a genuine event and refuses others',
    async (language, command, name) => {
      const port = await freePort();
      const file = join(folder, name);
      writeFileSync(file, block('own-program', language).replace('9000', String(port)));
      const child = spawn(command, [file], { env: { ...process.env, RAINBELL_SECRET: await secretOf() } });
      onTestFinished(() => void child.kill());
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      const origin = `http://127.0.0.1:${port}`;
      const forged = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.trunc(Date.now() / 1000)),
        'webhook-signature': 'v1,AAAA',
      };
      await eventually(async () =>
        expect((await fetch(origin, { method: 'POST', headers: forged, body: '{}' })).status).toBe(401),
      );
      await run('own-program', origin, ['started']);
      await eventually(async () => expect(output).toMatch(/^.+ near 59\.91, 10\.75 since [^\n]+\n$/));
      child.kill();
      await once(child, 'exit');
    },
  );

  it('its script in the shell does, too', async () => {
    const file = join(folder, 'verify.sh');
    writeFileSync(file, block('own-program', 'bash'));
    const endpoint = await startCallbackEndpoint();
    await run('own-program', `http://127.0.0.1:${endpoint.port}`, ['ended']);
    const [received] = endpoint.received;
    const { headers = {}, body = '' } = received ?? {};
    const secret = await secretOf();
    const verify = (input: string, at_ = String(headers['webhook-timestamp'])) =>
      spawnSync('bash', [file, secret, String(headers['webhook-id']), at_, String(headers['webhook-signature'])], {
        input,
      }).status;
    expect([verify(body), verify(`${body} `), verify(body, '1')]).toEqual([0, 1, 1]);
  });
});
