// `rainbell mcp` with the protocol's official client: the running app with its service, and without an app.
import { exec, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { fieldsFor } from '#test/core/session/access-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { openAppSession } from '#test/setup/app-client.ts';
import { startAppProcess } from '#test/stories/app-process.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { launcher, runRainbell } from './rainbell-process.ts';

type Agent = {
  client: Client;
  /** The result of a tool as JSON; throws its message if it failed. */
  call: <Result = Record<string, unknown>>(name: string, input?: Record<string, unknown>) => Promise<Result>;
};

async function startAgent(folder: string): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher, 'mcp', '--data', folder],
    env: { ...(process.env as Record<string, string>), RAINBELL_PROVIDER: 'simulation' },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test-agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return {
    client,
    async call<Result>(name: string, input = {}) {
      const { content, isError } = await client.callTool({ name, arguments: input });
      const [part] = content as { type: string; text: string }[];
      if (isError) throw new Error(part?.text);
      return JSON.parse(part?.text ?? '') as Result;
    },
  };
}

/** The token in the URLs of the local network, as the app stores it. */
function lanTokenIn(folder: string): string {
  const db = new DatabaseSync(join(folder, 'app.sqlite'), { readOnly: true });
  const row = db.prepare("SELECT json FROM documents WHERE name = 'receiver access'").get();
  db.close();
  return (JSON.parse(String(row?.['json'])) as { token: string }).token;
}

/** Decides the next request of an agent as the user would, and returns it. */
async function decide(client: AppClient, isAllowed: boolean) {
  const request = await vi.waitUntil(async () => (await client.agents.consents()).consents[0], 45_000);
  await client.agents.decide({ id: request.id, isAllowed });
  return request;
}

/** The names are a contract with agents: they never change. */
const changing = ['create_monitor', 'delete_monitor', 'make_rain', 'resend_callback', 'update_monitor'];
const reading = ['explain_monitor', 'get_forecast', 'list_callbacks', 'list_monitors', 'read_callback'];
const toolNames = [...changing, ...reading, 'search_callbacks', 'wait_for_callback'].toSorted();

describe('rainbell mcp', () => {
  it('speaks the current specification, with the frozen tools, and reads without an app', async () => {
    const folder = temporaryFolder();
    const { client, call } = await startAgent(folder);
    onTestFinished(() => client.close());
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(toolNames);
    const changes = tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name);
    expect(changes.toSorted()).toEqual(changing);
    const { points } = await call<{ points: unknown[] }>('get_forecast', { lat: 45.07, lng: 7.69, hours: 2 });
    expect(points).toHaveLength(3);
    await expect(call('create_monitor', { lat: 45, lng: 7 })).rejects.toThrow('Ask the user to start Rainbell');
    await expect(call('get_forecast', { lat: 100, lng: 7 })).rejects.toThrow(/lat/);
    expect((await runRainbell(['monitors', 'list', '--json', '--data', folder])).out).toBe('{"monitors":[]}\n');
  });

  it('answers the two messages of docs/agents.md, in the previous specification', async () => {
    const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
    const [, print = ''] = /```sh\n(printf [\s\S]*?) \| \(cat; sleep 2\) \| npx rainbell mcp\n```/.exec(page) ?? [];
    const { stdout: messages } = await promisify(exec)(print);
    const agent = spawn(process.execPath, [launcher, 'mcp', '--data', temporaryFolder()], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void agent.kill());
    agent.stdin.write(messages);
    const answers: { id: number; result: { protocolVersion?: string; tools?: { name: string }[] } }[] = [];
    for await (const line of createInterface(agent.stdout)) if (answers.push(JSON.parse(line)) === 2) break;
    expect(answers).toMatchObject([{ id: 1, result: { protocolVersion: '2025-11-25' } }, { id: 2 }]);
    expect(answers[1]?.result.tools?.map(({ name }) => name).toSorted()).toEqual(toolNames);
  });
});

/** One app and one agent for all tests. */
describe('an agent beside the app', () => {
  const endings: (() => unknown)[] = [];
  let folder: string;
  let client: AppClient;
  let call: Agent['call'];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rainbell-mcp-'));
    endings.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ receiverPort: await freePort() }));
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Rainbell</title>');
    const app = await startAppProcess(folder, { RAINBELL_SCREENS: folder, RAINBELL_PROVIDER: 'simulation' });
    endings.push(app.stop);
    const session = await openAppSession(app.url);
    endings.push(session.disconnect);
    client = session.client;
    await vi.waitUntil(async () => (await client.app.status()).connection.state === 'ready', 45_000);
    const agent = await startAgent(folder);
    endings.push(() => agent.client.close());
    call = agent.call;
  });
  afterAll(async () => {
    for (const end of endings.toReversed()) await end();
  });

  it('masks secrets, explains errors, and keeps its port from callbacks', async () => {
    await client.app.changeReceiverAccess({ tls: false, lan: true });
    const lanToken = lanTokenIn(folder);
    const { baseUrl } = (await client.app.status()).receiver;
    await fetch(`${baseUrl}/${lanToken}/hooks/a?token=hush-hush&sig=hush-hush`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer hush-hush',
        cookie: 'session=hush-hush',
        'content-type': 'application/json',
        'x-gitlab-token': 'hush-hush',
        'x-secret-of-rainbell': 'whsec_hush-hush-hush-hush-hush',
        referer: `http://192.168.1.2/${lanToken}/`,
      },
      body: '{"access_token":"hush-hush","token":"hush-hush","api_key":"hush-hush","id":"x"}',
    });
    await expect.poll(() => call('list_callbacks')).toMatchObject({ callbacks: [{ id: 1 }] });
    const text = JSON.stringify([await call('read_callback', { id: 1 }), await call('list_callbacks')]);
    expect(text).toContain('••••••••');
    expect(text).not.toContain('hush-hush');
    expect(text).not.toContain(lanToken);
    const { html } = await client.callbacks.proof({ id: 1 });
    expect(html).not.toContain(lanToken);
    expect(await call('read_callback', { id: 1, bodyCharacters: 5 })).toMatchObject({ body: '{"acc', isBodyCut: true });
    await expect(call('read_callback', { id: 99 })).rejects.toThrow('Callback 99 is no longer stored.');
    await expect(call('search_callbacks', { query: 'status:odd' })).rejects.toThrow('“status:odd” in the query');
    await expect(call('resend_callback', { id: 99 })).rejects.toThrow('Callback 99 is no longer stored.');
    expect((await client.agents.consents()).consents).toEqual([]);

    const { port } = JSON.parse(readFileSync(join(folder, 'running.json'), 'utf8')) as { port: number };
    // Programs without the secret keep no one else out.
    for (let count = 0; count < 150; count += 1) {
      const silent = connect(port, '127.0.0.1').on('error', () => {});
      onTestFinished(() => void silent.destroy());
      await once(silent, 'connect');
    }
    expect(await call('list_callbacks')).toMatchObject({ callbacks: [{ id: 1 }] });
    // Nor can a callback be sent to that port.
    const url = `http://127.0.0.1:${port}/`;
    await expect(client.sends.replay({ id: 1, url })).rejects.toThrow('the address of Rainbell itself');
    await client.app.changeReceiverAccess({ tls: false, lan: false });
  });

  it('reads a body as it was sent, says why a signature is wrong, and finds one by a header', async () => {
    const { baseUrl } = (await client.app.status()).receiver;
    const place = Buffer.from('Zürich 東京').toString('latin1');
    await fetch(`${baseUrl}/hooks/a`, {
      method: 'POST',
      headers: { 'x-place': place },
      body: Buffer.from('\uFEFF{"id":"x"}'),
    });
    await expect.poll(() => call('list_callbacks')).toMatchObject({ callbacks: [{ id: 2, sizeBytes: 13 }, {}] });
    const { body, headers } = await call<{ body: string; headers: [string, string][] }>('read_callback', { id: 2 });
    expect(Buffer.byteLength(body)).toBe(13);
    expect(headers).toContainEqual(['x-place', 'Zürich 東京']);

    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    await client.callbacks.setWebhookSecret({ secret });
    const time = String(Math.floor(Date.now() / 1000));
    const digest = createHmac('sha256', secret).update(`evt_1.${time}.{}`).digest('base64');
    await fetch(`${baseUrl}/first`, {
      method: 'POST',
      body: '{}',
      headers: {
        'rainbell-event': '1',
        'webhook-id': 'evt_1',
        'webhook-timestamp': time,
        'webhook-signature': `v1,${digest}`,
      },
    });
    await expect.poll(() => call('list_callbacks')).toMatchObject({ callbacks: [{ id: 3 }, {}, {}] });
    expect(await call('read_callback', { id: 3 })).toMatchObject({
      diagnosis: expect.stringMatching(/^The signature verifies if the secret’s text is used as the key\. ./),
    });
    expect(await call('search_callbacks', { query: 'header:webhook-id=evt_1' })).toMatchObject({
      callbacks: [{ id: 3 }],
    });
    await client.callbacks.setWebhookSecret({ secret: null });
  });

  it('makes it rain after consent, waits for the callback, reads it, and verifies its signature', async () => {
    const creating = call<{ monitor: { id: string; callbackUri: string } }>('create_monitor', {
      lat: 45.0703,
      lng: 7.6869,
    });
    const asked = await decide(client, true);
    expect(asked).toMatchObject({
      agent: 'test-agent',
      title: 'Create a monitor',
      facts: [
        ['Connection', 'Sandbox'],
        ['Location', '45.0703, 7.6869'],
        ['Callback URL', 'this app’s receiver'],
      ],
    });
    const { monitor } = await creating;
    expect(await call('list_monitors')).toMatchObject({ total: 1, monitors: [{ id: monitor.id }] });
    expect(await call('explain_monitor', { monitorId: monitor.id })).toMatchObject({ monitor_id: monitor.id });

    const raining = call('make_rain', { monitorId: monitor.id, mmPerHour: 3, kind: 'snow', minutes: 40 });
    expect(await decide(client, true)).toMatchObject({
      title: 'Make it rain in the sandbox',
      facts: expect.arrayContaining([['Rain', 'snow, 3 mm/h, for 40 min by the sandbox’s clock, within 30 km']]),
    });
    expect(await raining).toMatchObject({ monitorId: monitor.id, endsAt: expect.any(String) });
    expect((await client.sandbox.state()).scenarios).toMatchObject([
      { status: 'snowy', kind: 'snow', mmPerHour: 3, radiusKm: 30 },
    ]);

    const waited = await call<{ callback: { id: number } }>('wait_for_callback', {
      monitorId: monitor.id,
      sinceSeconds: 60,
    });
    const { id } = waited.callback;
    const read = () => call<{ checks: object[]; body: string }>('read_callback', { id });
    await expect
      .poll(async () => (await read()).checks)
      .toContainEqual({
        check: 'signature',
        verdict: 'ok',
        message: expect.stringContaining('The signature is valid'),
      });
    expect(JSON.parse((await read()).body)).toMatchObject({ id: monitor.id, monitor_type: 'precipitation' });
    expect(await call('search_callbacks', { query: `monitor:${monitor.id}` })).toMatchObject({ callbacks: [{ id }] });

    const deleting = call('delete_monitor', { monitorId: monitor.id }).catch((error: Error) => error.message);
    const deletion = await decide(client, false);
    expect(deletion.facts).toContainEqual(['Monitor', monitor.id]);
    expect(await deleting).toContain('The user denied this change in Rainbell. Nothing was changed.');
    expect(await call('list_monitors')).toMatchObject({ total: 1 });
  });

  it('refuses an allowed change if its object or the connection changed while the user was deciding', async () => {
    const { id } = await client.monitors.create({
      geo: { lat: 45.07, lng: 7.69 },
      callback: { kind: 'address', uri: 'http://127.0.0.1:9/a' },
    });
    const production = await startFakeService({
      'GET /v2/monitors/': () => ({ body: { objects: [] } }),
      [`DELETE /v2/monitors/${id}/`]: () => ({ status: 204 }),
    });
    onTestFinished(production.stop);
    const fields = fieldsFor(production.introduction, { name: 'Production', color: 'red' });
    const other = await client.connections.create({ ...fields, clientSecret: 'secret2' });
    const { selectedId } = await client.connections.list();
    const changes = [
      () => client.monitors.update({ id, changes: { geo: { lat: 1, lng: 2 } } }),
      () => client.connections.select({ id: other.id }),
    ];
    for (const change of changes) {
      await client.connections.select({ id: selectedId });
      const deleting = call('delete_monitor', { monitorId: id }).catch((error: Error) => error.message);
      await expect.poll(async () => (await client.agents.consents()).consents, { timeout: 45_000 }).toHaveLength(1);
      await change();
      await decide(client, true);
      expect(await deleting).toContain('changed after the user saw the request, so nothing was done');
    }
    expect(production.requestsTo(`DELETE /v2/monitors/${id}/`)).toEqual([]);
    await client.connections.select({ id: selectedId });
    expect(await call('list_monitors')).toMatchObject({
      monitors: expect.arrayContaining([expect.objectContaining({ id, lat: 1, lng: 2 })]),
    });
  });
});
