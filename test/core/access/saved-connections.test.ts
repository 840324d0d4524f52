// The list of connections: what is stored and which one is in use, without a service.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConnectionFields } from '#contract/app-rpc/connections.ts';
import { createActiveConnection } from '#core/connection/active-connection.ts';
import { createConnection, sandboxProfile, type Connection } from '#core/connection/connection.ts';
import { createConnections } from '#core/connection/connections.ts';
import { createAppSettings } from '#core/settings/app-settings.ts';
import { createMemoryHost } from '../core-harness.ts';
import { createManualClock } from '../manual-clock.ts';

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

const fields: ConnectionFields = {
  name: 'Team',
  color: 'blue',
  baseUrl: 'https://api.example',
  authUrl: 'https://example.com',
  clientId: 'client',
  isPublic: false,
  redirectUri: 'https://app.example/',
  scope: 'post_metag',
  caPem: null,
  proxyUrl: null,
};
const introduction = {
  baseUrl: 'http://127.0.0.1:8420//',
  authUrl: 'http://127.0.0.1:8421/',
  clientId: 'client1',
  clientSecret: 'secret1',
  redirectUri: 'http://127.0.0.1:8490/callback',
  username: 'tester',
  password: 'password1',
};
const problem = { code: 'NETWORK' as const, message: 'Port 8420 is taken.', details: {} };

function start(stored: object = {}) {
  const host = createMemoryHost(stored);
  const calls: unknown[] = [];
  const state = { changed: 0 };
  let present: Connection | undefined;
  const settings = createAppSettings(host.settings, () => {});
  const connections = createConnections({
    settings,
    secrets: host.secrets,
    activeConnection: {
      present: () => present,
      use(connection: Connection) {
        present = connection;
        onTestFinished(() => connection.close());
        const { id, name, baseUrl, isPublic, clientSecret, isSandbox } = connection.profile;
        calls.push(['use', id, name, baseUrl, isPublic, clientSecret, isSandbox]);
      },
      setPending: (label: unknown) => void calls.push(['pending', label]),
      fail: (failure: { message: string }) => void calls.push(['fail', failure.message]),
      refresh: () => void calls.push(['refresh']),
    } as never,
    connectionDependencies: { clock: createManualClock(), secrets: host.secrets, json: {} as never, onState: () => {} },
    clearBrowserSession: async (id) => void calls.push(['clear', id]),
    onChanged: () => (state.changed += 1),
  });
  const taken = () => calls.splice(0);
  return { host, settings, connections, state, taken };
}

/** The kind of each call, and its first argument. */
const brief = (calls: unknown[]) => calls.map((call) => (call as unknown[]).slice(0, 2));

const saved = (id: string, changes: object = {}) => ({ ...fields, id, kind: 'own', hasSecret: false, ...changes });
const sandbox = {
  id: 'sandbox',
  kind: 'sandbox',
  name: 'Sandbox',
  color: 'teal',
  baseUrl: 'http://127.0.0.1:8420',
  authUrl: 'http://127.0.0.1:8421',
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
    const { connections, state, host } = start({ ...two, selectedConnection: 'gone' });
    expect(await connections.list()).toEqual({
      connections: [starting, saved('a', { name: 'A', isPublic: true }), saved('b', { name: 'b' })],
      selectedId: 'sandbox',
    });
    host.stored.set('client secret b', 'hush');
    connections.connectSandbox(introduction);
    expect(state.changed).toBe(1);
    expect((await connections.list()).connections).toEqual([
      sandbox,
      saved('a', { name: 'A', isPublic: true }),
      saved('b', { name: 'b', hasSecret: true }),
    ]);
    connections.sandboxFailed(problem);
    expect([state.changed, (await connections.list()).connections[0]]).toEqual([2, starting]);
  });

  test('gets a connection, with its secret', async () => {
    const { connections, state, host, settings } = start();
    const created = await connections.create({ ...fields, name: ' Team ' }, ' hush\n');
    expect(created).toEqual(saved(created.id, { hasSecret: true }));
    expect(created.id).toMatch(/^c-[0-9a-f]{12}$/);
    expect([...host.stored]).toEqual([[`client secret ${created.id}`, 'hush']]);
    expect([state.changed, settings.get().connections]).toEqual([1, [{ ...fields, id: created.id }]]);
    expect(await connections.create({ ...fields, name: 'Other' }, null)).toMatchObject({ hasSecret: false });
    for (const name of ['team', 'SANDBOX', ''])
      // oxlint-disable-next-line no-await-in-loop
      await expect(connections.create({ ...fields, name }, null)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'name' },
      });
    expect([state.changed, settings.get().connections.length]).toEqual([2, 2]);
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
    ['of nothing', { name: undefined }, undefined, true, 'hush'],
    ['of the service', { baseUrl: 'https://b.example' }, undefined, false, 'hush'],
    ['of the client', { clientId: 'other' }, undefined, false, 'hush'],
    ['of its kind', { isPublic: false }, undefined, false, 'hush'],
    ['of the secret', {}, 'new', false, 'new'],
    ['that deletes the secret', {}, null, false, undefined],
  ])('%s', async (_, changes, secret, keepsTokens, stored) => {
    const { connections, host, state, settings } = withTokens();
    const changed = await connections.update('a', changes, secret);
    const expected = { ...fields, name: 'A', isPublic: true, ...JSON.parse(JSON.stringify(changes)) };
    expect(changed).toEqual({ ...expected, id: 'a', kind: 'own', hasSecret: stored !== undefined });
    expect(tokens.map((name) => host.stored.has(name))).toEqual([keepsTokens, keepsTokens]);
    expect([host.stored.get('client secret a'), state.changed]).toEqual([stored, 1]);
    expect(settings.get().connections.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(settings.get().connections[1]).toEqual({ ...expected, id: 'a' });
  });

  test('is refused with a name of another, a wrong field, or of a connection that is gone', async () => {
    const { connections, state } = withTokens();
    await expect(connections.update('a', { name: 'B' })).rejects.toMatchObject({ details: { field: 'name' } });
    await expect(connections.update('a', { baseUrl: 'x' })).rejects.toMatchObject({ details: { field: 'baseUrl' } });
    await expect(connections.update('a', {}, 'ü')).rejects.toMatchObject({ details: { field: 'clientSecret' } });
    await expect(connections.update('x', {})).rejects.toMatchObject({ code: 'NOT_FOUND', details: { field: 'id' } });
    expect(state.changed).toBe(0);
    expect(await connections.update('a', { name: 'a' })).toMatchObject({ name: 'a' });
  });

  test('of the connection in use opens it again', async () => {
    const { connections, taken } = withTokens();
    await connections.update('b', { name: 'c' });
    expect(taken()).toEqual([]);
    await connections.select('b');
    taken();
    await connections.update('b', { name: 'd' });
    expect(taken()).toEqual([
      ['pending', { name: 'd', baseUrl: 'https://api.example', isSandbox: false }],
      ['use', 'b', 'd', 'https://api.example', false, undefined, false],
      ['refresh'],
    ]);
  });

  test('of the sandbox is one of its name and color', async () => {
    const { connections, taken, state, settings } = start(two);
    connections.connectSandbox(introduction);
    taken();
    expect(await connections.update('sandbox', { color: 'red' })).toEqual({ ...sandbox, color: 'red' });
    expect([taken(), state.changed]).toEqual([[], 2]);
    expect(await connections.update('sandbox', { name: ' Mine ' })).toMatchObject({ name: 'Mine', color: 'red' });
    expect(brief(taken())).toEqual([['use', 'sandbox'], ['refresh']]);
    expect(settings.get().sandboxLook).toEqual({ name: 'Mine', color: 'red' });
    await expect(connections.update('sandbox', { name: ' ' })).rejects.toMatchObject({ details: { field: 'name' } });
    await expect(connections.update('sandbox', { name: 'a' })).rejects.toMatchObject({ details: { field: 'name' } });
    await expect(connections.update('sandbox', { name: 'X', scope: '' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await expect(connections.update('sandbox', {}, 'hush')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(connections.update('sandbox', {}, null)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(state.changed).toBe(3);
    expect(await connections.update('sandbox', { name: 'mine', scope: undefined })).toMatchObject({ name: 'mine' });
    await connections.select('b');
    taken();
    await connections.update('sandbox', { name: 'Other' });
    expect(taken()).toEqual([]);
  });
});

describe('a delete', () => {
  test('leaves nothing of the connection', async () => {
    const { connections, host, taken, state, settings } = start({ ...two, keptBrowserSessions: ['a', 'b'] });
    for (const name of ['client secret a', 'token user a', 'token application a', 'client secret b'])
      host.stored.set(name, 'x');
    await connections.delete('a');
    expect([...host.stored.keys()]).toEqual(['client secret b']);
    expect([taken(), state.changed]).toEqual([[['clear', 'a']], 1]);
    expect(settings.get()).toMatchObject({ connections: [{ id: 'b' }], keptBrowserSessions: ['b'] });
    await expect(connections.delete('a')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(connections.delete('sandbox')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect([taken(), state.changed]).toEqual([[], 1]);
  });

  test('of the one in use makes the sandbox the one in use', async () => {
    const { connections, taken } = start(two);
    connections.connectSandbox(introduction);
    await connections.select('a');
    taken();
    await connections.delete('a');
    expect(brief(taken())).toEqual([['clear', 'a'], ['use', 'sandbox'], ['refresh']]);
    expect((await connections.list()).selectedId).toBe('sandbox');
  });
});

describe('the connection in use', () => {
  test('is the selected one, with its secret; of a public client no token is requested', async () => {
    const { connections, host, taken, state, settings } = start(two);
    host.stored.set('client secret b', 'hush');
    expect((await connections.select('b')).selectedId).toBe('b');
    expect([state.changed, settings.get().selectedConnection]).toEqual([1, 'b']);
    expect(taken()).toEqual([
      ['pending', { name: 'b', baseUrl: 'https://api.example', isSandbox: false }],
      ['use', 'b', 'b', 'https://api.example', false, 'hush', false],
      ['refresh'],
    ]);
    await connections.select('b');
    expect([taken(), state.changed]).toEqual([[], 1]);
    await connections.select('a');
    expect(taken().map((call) => (call as string[])[0])).toEqual(['pending', 'use']);
    await expect(connections.select('gone')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await connections.select('sandbox');
    expect(taken()).toEqual([['pending', { name: 'Sandbox', baseUrl: null, isSandbox: true }]]);
  });

  test('is the sandbox as soon as it exists, if it is selected', async () => {
    const { connections, taken } = start(two);
    expect(connections.sandboxUrl()).toBeNull();
    expect(() => connections.sandboxAccount()).toThrow(expect.objectContaining({ code: 'NETWORK' }));
    await expect(connections.profileOf('sandbox')).rejects.toMatchObject({ code: 'NETWORK' });
    connections.sandboxFailed(problem);
    expect(taken()).toEqual([['fail', problem.message]]);
    expect(() => connections.sandboxAccount()).toThrow(problem.message);
    await expect(connections.profileOf('sandbox')).rejects.toMatchObject({ message: problem.message });
    expect(connections.sandboxUrl()).toBeNull();
    connections.connectSandbox(introduction);
    expect(taken()).toEqual([
      ['use', 'sandbox', 'Sandbox', 'http://127.0.0.1:8420', false, 'secret1', true],
      ['refresh'],
    ]);
    expect(connections.sandboxAccount()).toEqual({ username: 'tester', password: 'password1' });
    expect(connections.sandboxUrl()).toBe('http://127.0.0.1:8420//');
    await connections.select('b');
    taken();
    connections.connectSandbox(introduction);
    connections.sandboxFailed(problem);
    expect(taken()).toEqual([]);
    expect(() => connections.sandboxAccount()).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
    await connections.select('sandbox');
    expect(taken()).toEqual([
      ['pending', { name: 'Sandbox', baseUrl: null, isSandbox: true }],
      ['fail', problem.message],
    ]);
  });

  test('is opened at the start, and again when secrets can be read', async () => {
    const { connections, host, taken } = start({ ...two, selectedConnection: 'b' });
    await settle();
    expect(taken()).toEqual([
      ['pending', expect.anything()],
      ['use', 'b', 'b', 'https://api.example', false, undefined, false],
      ['refresh'],
    ]);
    host.stored.set('client secret b', 'hush');
    connections.reopen();
    await settle();
    expect(taken()).toEqual([
      ['pending', expect.anything()],
      ['use', 'b', 'b', 'https://api.example', false, 'hush', false],
      ['refresh'],
    ]);
    host.secrets.read = () => Promise.reject(new Error('secret detail'));
    connections.reopen();
    await settle();
    expect(taken()).toEqual([
      ['pending', expect.anything()],
      ['fail', expect.not.stringContaining('secret detail')],
    ]);
  });

  test('is the last one that was chosen, even if an earlier one takes longer', async () => {
    const { connections, host, taken } = start(two);
    let release = () => {};
    const { read } = host.secrets;
    host.secrets.read = async (name) => {
      if (name === 'client secret a') await new Promise<void>((resolve) => (release = resolve));
      return read(name);
    };
    const slow = connections.select('a');
    await settle();
    connections.connectSandbox(introduction);
    await connections.update('b', { name: 'c' });
    host.secrets.read = read;
    await connections.select('b');
    release();
    await slow;
    expect(brief(taken()).filter(([kind]) => kind === 'use')).toEqual([['use', 'b']]);
  });

  test('has the profile of its service', async () => {
    const { connections, host } = start(two);
    host.stored.set('client secret b', 'hush');
    const { color: _, ...plain } = fields;
    expect(await connections.profileOf('b')).toEqual({
      ...plain,
      id: 'b',
      name: 'b',
      isSandbox: false,
      clientSecret: 'hush',
    });
    connections.connectSandbox(introduction);
    expect(await connections.profileOf('sandbox')).toEqual({
      id: 'sandbox',
      name: 'Sandbox',
      isSandbox: true,
      baseUrl: 'http://127.0.0.1:8420',
      authUrl: 'http://127.0.0.1:8421',
      clientId: 'client1',
      clientSecret: 'secret1',
      isPublic: false,
      redirectUri: 'http://127.0.0.1:8490/callback',
      scope: 'post_metag',
      caPem: null,
      proxyUrl: null,
    });
    await expect(connections.profileOf('gone')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('an active connection', () => {
  function startActive() {
    const clock = createManualClock();
    const state = { changes: 0 };
    const active = createActiveConnection({ clock, onState: () => (state.changes += 1) });
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
        canReadMonitors: () => name === 'a',
        tokenState: () => ({ state: 'valid' }),
      };
      return { fake: fake as unknown as Connection, log };
    };
    return { clock, state, active, connection };
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

  test('is waited for until it fails', async () => {
    const { active, state } = startActive();
    const waiting = active.current();
    active.fail(problem);
    await expect(waiting).rejects.toMatchObject({ code: 'NETWORK', message: problem.message });
    await expect(active.current()).rejects.toMatchObject({ message: problem.message });
    expect([active.state(), active.tokenState(), active.canReadMonitors(), state.changes]).toEqual([
      { ...label, state: 'failed', problem },
      { state: 'none' },
      false,
      1,
    ]);
  });

  test('lets the one before end', async () => {
    const { active, state, connection } = startActive();
    const [a, b] = [connection('a'), connection('b')];
    active.use(a.fake);
    active.use(a.fake);
    expect([active.present(), active.canReadMonitors(), active.tokenState(), a.log]).toEqual([
      a.fake,
      true,
      { state: 'valid' },
      [],
    ]);
    expect(active.state()).toEqual({
      name: 'a',
      baseUrl: 'https://a.example',
      isSandbox: false,
      state: 'ready',
      problem: null,
    });
    active.use(b.fake);
    expect([a.log, active.canReadMonitors(), state.changes]).toEqual([['retire'], false, 3]);
    active.refresh();
    active.setPending(label);
    expect([b.log, active.present(), state.changes]).toEqual([['prepare', 'retire'], undefined, 4]);
    active.refresh();
    active.use(a.fake);
    await active.close();
    expect([a.log, state.changes]).toEqual([['retire', 'close'], 6]);
    expect(active.state()).toMatchObject({ state: 'ready', problem: { code: 'NETWORK', details: {} } });
    const closed = startActive();
    const waiting = closed.active.current();
    await closed.active.close();
    await expect(waiting).rejects.toMatchObject({ code: 'NETWORK' });
  });
});

test('a connection that retires stays usable while it is held', async () => {
  const host = createMemoryHost();
  const open = () =>
    createConnection(sandboxProfile(introduction), {
      clock: createManualClock(),
      secrets: host.secrets,
      json: {} as never,
      onState: () => {},
    });
  // Nothing listens on port 9; a retired connection does not even try.
  const isClosed = ({ http }: Connection) =>
    http
      .send({ method: 'GET', url: 'http://127.0.0.1:9/', headers: [] })
      .catch((error: unknown) => error instanceof Error && error.message.includes('closed'));
  const free = open();
  onTestFinished(() => free.close());
  expect(await isClosed(free)).toBe(false);
  await free.retire();
  expect(await isClosed(free)).toBe(true);
  const held = open();
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
