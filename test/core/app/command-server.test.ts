// What other programs of the same user may call, and who gets in: commands, agents, and a second start of the app.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Caller, findRunningApp, requestNewAddress } from '#core/hosting/running-app.ts';
import { createMemoryHost } from '../core-harness.ts';
import { startWithReceiver } from '../callbacks/callback-harness.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function startFound(caller: Caller) {
  const app = await startWithReceiver();
  onTestFinished(app.close);
  const running = await findRunningApp(app.dataFolder, caller);
  if (!running) throw new Error('The app was not found.');
  onTestFinished(running.close);
  return { ...app, own: running.client };
}

const readFile = (dataFolder: string) =>
  JSON.parse(readFileSync(join(dataFolder, 'running.json'), 'utf8')) as { port: number; secret: string };

describe('a command', () => {
  test('calls the procedures of the screens, and gets their errors', async () => {
    const { own, post } = await startFound('command');
    await post('/hooks/a', '{"id":"precipitation_1"}');
    await expect.poll(async () => (await own.callbacks.list({})).items).toMatchObject([{ target: '/hooks/a' }]);
    await expect(own.callbacks.get({ id: 99 })).rejects.toMatchObject({ code: 'NOT_FOUND', details: { field: 'id' } });
    await expect(own.callbacks.list({ limit: 0 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('cannot give an agent consent', async () => {
    const { own } = await startFound('command');
    await expect(own.agents.decide({ id: 'x', isAllowed: true })).rejects.toMatchObject({ code: 'REFUSED' });
  });
});

describe('an agent', () => {
  test('reads, proposes, and does nothing else', async () => {
    const { own, post, client } = await startFound('agent');
    await post('/hooks/a', '{"id":"x"}');
    await expect.poll(async () => (await own.callbacks.search({ query: '' })).items).toHaveLength(1);
    const proposing = own.agents.propose({ agent: 'Probe', action: { kind: 'resend', callbackId: 1, url: null } });
    const request = await expect
      .poll(async () => (await client.agents.consents()).consents)
      .toMatchObject([{ agent: 'Probe' }])
      .then(async () => (await client.agents.consents()).consents[0]);
    const refused = { code: 'REFUSED' };
    await expect(own.agents.decide({ id: request?.id ?? '', isAllowed: true })).rejects.toMatchObject(refused);
    await expect(own.sends.replay({ id: 1, url: null })).rejects.toMatchObject(refused);
    await expect(own.monitors.delete({ id: 'precipitation_1' })).rejects.toMatchObject(refused);
    await expect(own.settings.update({ theme: 'dark' })).rejects.toMatchObject(refused);
    await expect(own.app.newAddress({})).rejects.toMatchObject(refused);
    await client.agents.decide({ id: request?.id ?? '', isAllowed: true });
    expect(await proposing).toMatchObject({ status: 200 });
  });

  test('whose call ends asks for nothing anymore', async () => {
    const { own, post, client } = await startFound('agent');
    await post('/hooks/a', '{"id":"x"}');
    await expect.poll(async () => (await own.callbacks.search({ query: '' })).items).toHaveLength(1);
    const ending = new AbortController();
    const action = { kind: 'resend', callbackId: 1, url: null } as const;
    const proposing = own.agents.propose({ agent: 'Probe', action }, { signal: ending.signal });
    await expect.poll(async () => (await client.agents.consents()).consents).toHaveLength(1);
    ending.abort();
    await expect(proposing).rejects.toThrow('aborted');
    await expect.poll(async () => (await client.agents.consents()).consents).toEqual([]);
  });
});

describe('who has the file', () => {
  test('is readable only by its owner, and is deleted with the app', async () => {
    const { dataFolder, close } = await startWithReceiver();
    const file = join(dataFolder, 'running.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await close();
    expect(existsSync(file)).toBe(false);
    expect(await findRunningApp(dataFolder, 'command')).toBeUndefined();
  });

  test('lets in no one without the secret, and no page', async () => {
    const { dataFolder, close } = await startWithReceiver();
    onTestFinished(close);
    const { port, secret } = readFile(dataFolder);
    const known = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const ask = async (more: object = {}) => {
      const headers = { ...known, ...more } as Record<string, string>;
      const url = `http://127.0.0.1:${port}/command/app/status`;
      const answer = await fetch(url, { method: 'POST', headers, body: '{}' });
      return [answer.status, answer.status === 200 ? '' : await answer.text()];
    };
    expect(await ask()).toEqual([200, '']);
    for (const headers of [
      { authorization: '' },
      { authorization: `Bearer ${'t'.repeat(43)}` },
      { origin: 'https://evil.example' },
      // A page of no origin.
      { 'sec-fetch-site': 'none' },
    ])
      expect(await ask(headers)).toEqual([403, '']);
  });

  test('a file of a process that has ended, or that says something else, finds nothing', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'running.json'), '{"port": 1}');
    expect(await findRunningApp(folder, 'command')).toBeUndefined();
  });
});

describe('a second start', () => {
  test('gets a URL that works once from a host for browsers, and none from another', async () => {
    const newAddress = (hash = '') => `http://127.0.0.1:1/#ticket=x&${hash.slice(1)}`;
    const browser = await startWithReceiver({ host: { ...createMemoryHost(), newAddress } });
    onTestFinished(browser.close);
    expect(await requestNewAddress(browser.dataFolder, '#/callbacks/1')).toBe(
      'http://127.0.0.1:1/#ticket=x&/callbacks/1',
    );
    expect(await requestNewAddress(browser.dataFolder, 'javascript:alert(1)')).toBeUndefined();
    expect(await requestNewAddress(browser.dataFolder, '#/a\nhttp://evil.example')).toBeUndefined();
    const desktop = await startWithReceiver();
    onTestFinished(desktop.close);
    expect(await requestNewAddress(desktop.dataFolder, undefined)).toBeUndefined();
  });
});
