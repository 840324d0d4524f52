// The list of connections: what is stored and which one is in use, without a service.
import { describe, expect, onTestFinished, test } from 'vitest';
import { createActiveConnection } from '#core/connection/active-connection.ts';
import type { Connection } from '#core/connection/connection.ts';
import { Connections } from '#core/connection/connections.ts';
import { createAppSettings } from '#core/settings/app-settings.ts';
import { connectionDouble, goodFields, introductionOf } from '#test/core/connection-double.ts';
import { createMemoryHost, testJsonReader } from '#test/core/core-harness.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

// Nothing listens there.
const fields = { ...goodFields, baseUrl: 'http://127.0.0.1:9', authUrl: 'http://127.0.0.1:9' };
const introduction = { ...introductionOf('http://127.0.0.1:10//'), authUrl: 'http://127.0.0.1:11/' };
const problem = { code: 'NETWORK' as const, message: 'Port 8420 is taken.', details: {} };

function start(stored: object = {}) {
  const host = createMemoryHost(stored);
  const clock = createManualClock();
  const active = createActiveConnection({ clock, onState: () => {} });
  onTestFinished(() => active.close());
  const settings = createAppSettings(host.settings, () => {});
  const connections = new Connections({
    settings,
    secrets: host.secrets,
    activeConnection: active,
    connectionDependencies: { clock, secrets: host.secrets, json: testJsonReader(), onState: () => {} },
    isCommand: false,
    clearBrowserSession: async () => {},
    onChanged: () => {},
  });
  /** The connection in use: its ID, name, and client secret. */
  const inUse = () => {
    const { id, name, clientSecret } = active.present()?.profile ?? {};
    return [id, name, clientSecret];
  };
  return { host, settings, connections, active, inUse };
}

const saved = (id: string, changes: object = {}) => ({ ...fields, id, kind: 'own', hasSecret: false, ...changes });
const sandbox = {
  id: 'sandbox',
  kind: 'sandbox',
  name: 'Sandbox',
  color: 'teal',
  baseUrl: 'http://127.0.0.1:10',
  authUrl: 'http://127.0.0.1:11',
  clientId: 'client1',
  isPublic: false,
  hasSecret: true,
  redirectUri: 'http://127.0.0.1:8490/callback',
  scope: 'post_metag',
  caPem: null,
  proxyUrl: null,
};
const starting = { ...sandbox, baseUrl: '', authUrl: '', clientId: '', redirectUri: '' };
const two = {
  connections: [
    { ...fields, id: 'b', name: 'b' },
    { ...fields, id: 'a', name: 'A', isPublic: true },
  ],
};

describe('the list', () => {
  test('has the sandbox first, then the others by name', async () => {
    const { connections, host } = start({ ...two, selectedConnection: 'gone' });
    const others = [saved('a', { name: 'A', isPublic: true }), saved('b', { name: 'b' })];
    expect(await connections.list()).toEqual({ connections: [starting, ...others], selectedId: 'sandbox' });
    host.stored.set('client secret b', 'hush');
    connections.connectSandbox(introduction);
    expect((await connections.list()).connections).toEqual([sandbox, others[0], { ...others[1], hasSecret: true }]);
    connections.sandboxFailed(problem);
    expect((await connections.list()).connections[0]).toEqual(starting);
  });

  // connection-form.test.ts has every field.
  test('gets no second connection of a name, and none with a wrong field', async () => {
    const { connections } = start(two);
    for (const name of ['a', 'SANDBOX'])
      await expect(connections.create({ ...fields, name }, null)).rejects.toMatchObject({ details: { field: 'name' } });
    const wrong = connections.create({ ...fields, name: 'New', redirectUri: 'https://app.example/#x' }, null);
    await expect(wrong).rejects.toMatchObject({ details: { field: 'redirectUri' }, message: /fragment/ });
  });
});

describe('an edit', () => {
  const tokens = ['token user a', 'token application a'];
  const withTokens = () => {
    const harness = start(two);
    for (const name of tokens) harness.host.stored.set(name, 'token');
    harness.host.stored.set('client secret a', 'hush');
    return harness;
  };

  test.each<[string, object, string | null | undefined, boolean, string | undefined]>([
    ['of the name', { name: 'New' }, undefined, true, 'hush'],
    ['of nothing', {}, undefined, true, 'hush'],
    ['of the service', { baseUrl: 'https://b.example' }, undefined, false, 'hush'],
    ['of the client', { clientId: 'other' }, undefined, false, 'hush'],
    ['of its kind', { isPublic: false }, undefined, false, 'hush'],
    ['of the secret', {}, ' new\r\n', false, 'new'],
    ['that deletes the secret', {}, null, false, undefined],
  ])('%s', async (_, changes, secret, keepsTokens, stored) => {
    const { connections, host, settings } = withTokens();
    const expected = { ...fields, name: 'A', isPublic: true, ...changes };
    const changed = await connections.update('a', expected, secret);
    expect(changed).toEqual({ ...expected, id: 'a', kind: 'own', hasSecret: stored !== undefined });
    expect(tokens.map((name) => host.stored.has(name))).toEqual([keepsTokens, keepsTokens]);
    expect(host.stored.get('client secret a')).toBe(stored);
    expect(settings.get().connections[1]).toEqual({ ...expected, id: 'a' });
  });

  test('is refused with a name of another, a wrong field, or of a connection that is gone', async () => {
    const { connections } = withTokens();
    await expect(connections.update('a', { ...fields, name: 'B' })).rejects.toMatchObject({
      details: { field: 'name' },
    });
    await expect(connections.update('a', { ...fields, baseUrl: 'x' })).rejects.toMatchObject({
      details: { field: 'baseUrl' },
    });
    await expect(connections.update('a', fields, 'ü')).rejects.toMatchObject({ details: { field: 'clientSecret' } });
    await expect(connections.update('x', fields)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      details: { field: 'id' },
    });
    expect(await connections.update('a', { ...fields, name: 'a' })).toMatchObject({ name: 'a' });
  });

  test('of the connection in use opens it again', async () => {
    const { connections, inUse } = withTokens();
    await connections.select('b');
    await connections.update('b', { ...fields, name: 'd' });
    expect(inUse()).toEqual(['b', 'd', undefined]);
  });

  test('of the sandbox is refused', async () => {
    const edit = start(two).connections.update('sandbox', { ...fields, name: 'Mine' });
    await expect(edit).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('the connection in use', () => {
  test('is the sandbox as soon as it exists, if it is selected', async () => {
    const { connections, active, inUse } = start(two);
    expect(connections.sandboxUrl()).toBeNull();
    await expect(connections.profileOf('sandbox')).rejects.toMatchObject({ code: 'NETWORK' });
    connections.sandboxFailed(problem);
    expect(active.state()).toMatchObject({ state: 'failed', problem });
    await expect(active.current()).rejects.toMatchObject(problem);
    expect(() => connections.sandboxAccount()).toThrow(problem.message);
    await expect(connections.profileOf('sandbox')).rejects.toMatchObject({ message: problem.message });
    connections.connectSandbox(introduction);
    expect(inUse()).toEqual(['sandbox', 'Sandbox', 'secret1']);
    expect(connections.sandboxAccount()).toMatchObject({ username: 'tester', password: 'password1' });
    await connections.select('b');
    connections.connectSandbox(introduction);
    connections.sandboxFailed(problem);
    expect(inUse()).toEqual(['b', 'b', undefined]);
    await expect(connections.select('gone')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(() => connections.sandboxAccount()).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  });

  test('is opened at the start, and again when secrets can be read', async () => {
    const { connections, host, active, inUse } = start({ ...two, selectedConnection: 'b' });
    await settle();
    expect(inUse()).toEqual(['b', 'b', undefined]);
    host.stored.set('client secret b', 'hush');
    connections.reopen();
    await settle();
    expect(inUse()).toEqual(['b', 'b', 'hush']);
    host.secrets.read = () => Promise.reject(new Error('secret detail'));
    connections.reopen();
    await settle();
    expect(active.state()).toMatchObject({
      state: 'failed',
      problem: { message: expect.not.stringContaining('secret detail') },
    });
  });

  test('is the last one that was chosen, even if an earlier one takes longer', async () => {
    const { connections, host, inUse } = start(two);
    let release = () => {};
    const { read } = host.secrets;
    host.secrets.read = async (name) => {
      if (name === 'client secret a') await new Promise<void>((resolve) => (release = resolve));
      return read(name);
    };
    const slow = connections.select('a');
    await settle();
    host.secrets.read = read;
    await connections.select('b');
    release();
    await slow;
    expect(inUse()[0]).toBe('b');
  });
});

describe('an active connection', () => {
  function startActive() {
    const clock = createManualClock();
    const active = createActiveConnection({ clock, onState: () => {} });
    const connection = (name: string) => {
      const log: string[] = [];
      const fake = {
        name,
        baseUrl: `https://${name}.example`,
        isSandbox: false,
        retire: async () => void log.push('retire'),
        close: async () => void log.push('close'),
        prepareToken: async () => {
          log.push('prepare');
          throw new Error('no');
        },
      };
      return { fake: fake as unknown as Connection, log };
    };
    return { clock, active, connection };
  }
  const label = { name: 'Sandbox', baseUrl: null, isSandbox: true };

  test('is waited for, 15 s at most', async () => {
    const { active, clock, connection } = startActive();
    const { fake } = connection('a');
    expect(active.state()).toEqual({ ...label, state: 'starting', problem: null });
    const waiting = active.current();
    active.use(fake);
    expect(await waiting).toBe(fake);
    active.setPending({ name: 'Team', baseUrl: 'https://b.example', isSandbox: false });
    let outcome: unknown = 'waiting';
    void active.current().catch((error: unknown) => (outcome = error));
    clock.advance(14_999);
    await settle();
    expect(outcome).toBe('waiting');
    clock.advance(1);
    await settle();
    expect(outcome).toMatchObject({ code: 'NETWORK', message: expect.stringMatching(/^Team /) });
    active.setPending(label);
    const other = active.current();
    clock.advance(15_000);
    await expect(other).rejects.toMatchObject({ code: 'NETWORK', message: expect.not.stringMatching(/^Sandbox/) });
  });

  test('lets the one before end', async () => {
    const { active, connection } = startActive();
    const [a, b] = [connection('a'), connection('b')];
    active.use(a.fake);
    active.use(a.fake);
    expect([active.present(), a.log]).toEqual([a.fake, []]);
    active.use(b.fake);
    expect(a.log).toEqual(['retire']);
    active.refresh();
    active.setPending(label);
    expect([b.log, active.present()]).toEqual([['prepare', 'retire'], undefined]);
    active.use(a.fake);
    await active.close();
    expect(a.log).toEqual(['retire', 'close']);
    const closed = startActive();
    const waiting = closed.active.current();
    await closed.active.close();
    await expect(waiting).rejects.toMatchObject({ code: 'NETWORK' });
  });
});

test('a connection that retires stays usable while it is held', async () => {
  // Nothing listens on port 9; a retired connection does not even try.
  const isClosed = ({ http }: Connection) =>
    http
      .send({ method: 'GET', url: 'http://127.0.0.1:9/', headers: [] })
      .catch((error: unknown) => error instanceof Error && error.message.includes('closed'));
  const free = connectionDouble('free');
  onTestFinished(() => free.close());
  expect(await isClosed(free)).toBe(false);
  await free.retire();
  expect(await isClosed(free)).toBe(true);
  const held = connectionDouble('held');
  onTestFinished(() => held.close());
  const releases = [held.hold(), held.hold()];
  await held.retire();
  releases[0]?.();
  await settle();
  expect(await isClosed(held)).toBe(false);
  releases[1]?.();
  await settle();
  expect(await isClosed(held)).toBe(true);
});
