// The keys with which callbacks are verified: typed by the user, reported by the sandbox, or published by a service.
import { describe, expect, test } from 'vitest';
import { createWebhookSecrets } from '#core/connection/webhook-secrets.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { createManualClock } from '../manual-clock.ts';
import { activeConnectionDouble, connectionDouble, responseDouble } from '../connection-double.ts';
import { createMemoryHost, quietLog } from '../core-harness.ts';

const key = (fill: number) => `whsec_${Buffer.alloc(24, fill).toString('base64')}`;
const [first, second, third] = [key(1), key(2), key(3)];
const publicKey = Buffer.alloc(32, 0xfb);
const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

function start(id = 'one', { isSandbox = false } = {}) {
  const clock = createManualClock();
  const { stored, secrets: storedSecrets } = createMemoryHost();
  const asked: unknown[] = [];
  const answers = new Map<string, unknown>();
  const state = { hasLog: false, changed: 0, isPresent: true };
  const connectionOf = (own: string, clientSecret?: string) =>
    connectionDouble(own, {
      isSandbox,
      profile: { clientSecret },
      async respond(call) {
        asked.push(call);
        const answer = answers.get(call.path);
        if (answer instanceof Error) throw answer;
        return responseDouble({ value: answer });
      },
    });
  let connection = connectionOf(id, 'client secret');
  const secrets = createWebhookSecrets({
    activeConnection: activeConnectionDouble(() => (state.isPresent ? connection : undefined), connection),
    secrets: storedSecrets,
    connectionIds: () => ['sandbox', 'one', 'two'],
    hasDeliveryLog: () => state.hasLog,
    clock,
    log: quietLog,
    onChanged: () => (state.changed += 1),
  });
  return {
    clock,
    stored,
    asked,
    answers,
    state,
    secrets,
    use: (own: string, clientSecret?: string) => void (connection = connectionOf(own, clientSecret)),
  };
}

const sandboxPath = '/sandbox/webhook-secrets';
const publishedPath = '/.well-known/webhook-keys.json';

describe('the keys', () => {
  test('are read in the background, once a minute', async () => {
    const { secrets, stored, state, clock } = start();
    stored.set('webhook-secret:one', ` ${first}  ${second} `);
    expect(secrets.facts()).toEqual({ secrets: [], isClockMovable: false });
    await settle();
    expect([secrets.facts(), state.changed]).toEqual([{ secrets: [first, second], isClockMovable: false }, 1]);
    stored.set('webhook-secret:one', third);
    clock.advance(59_999);
    secrets.facts();
    await settle();
    expect([secrets.facts().secrets, state.changed]).toEqual([[first, second], 1]);
    clock.advance(1);
    // Until the new ones have arrived.
    expect(secrets.facts().secrets).toEqual([first, second]);
    await settle();
    expect([secrets.facts().secrets, state.changed]).toEqual([[third], 2]);
    clock.advance(60_000);
    secrets.facts();
    await settle();
    expect(state.changed).toBe(2);
  });

  test('of the sandbox may be two, or one, or typed', async () => {
    const two = start('sandbox', { isSandbox: true });
    two.answers.set(sandboxPath, { webhook_secret: first, previous_webhook_secret: second });
    expect(await two.secrets.source()).toBe('service');
    expect(two.secrets.facts()).toEqual({ secrets: [first, second], isClockMovable: true });
    const one = start('sandbox', { isSandbox: true });
    one.answers.set(sandboxPath, { webhook_secret: first, previous_webhook_secret: null });
    expect(await one.secrets.current()).toEqual([first]);
    one.stored.set('webhook-secret:sandbox', second);
    one.clock.advance(60_000);
    expect(await one.secrets.source()).toBe('typed');
    expect(one.secrets.facts()).toEqual({ secrets: [second], isClockMovable: false });
    const none = start('sandbox', { isSandbox: true });
    none.answers.set(sandboxPath, new AppFailure('NOT_FOUND', ''));
    expect([await none.secrets.source(), none.secrets.facts()]).toEqual([
      'none',
      { secrets: [], isClockMovable: true },
    ]);
  });

  test('are the published ones, too, if only a secret is known', async () => {
    const key = { kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid: 'a', x: publicKey.toString('base64url') };
    const whpk = `whpk_${publicKey.toString('base64')}`;
    const sandbox = start('sandbox', { isSandbox: true });
    const typed = start();
    for (const { state, answers } of [sandbox, typed]) {
      state.hasLog = true;
      answers.set(publishedPath, { keys: [key] });
    }
    sandbox.answers.set(sandboxPath, { webhook_secret: first, previous_webhook_secret: null });
    expect(await sandbox.secrets.source()).toBe('service');
    expect(sandbox.secrets.facts()).toEqual({ secrets: [first, whpk], isClockMovable: true });
    expect(await sandbox.secrets.current()).toEqual([first]);
    await typed.secrets.set(second);
    expect(typed.secrets.facts()).toEqual({ secrets: [second, whpk], isClockMovable: false });
    const other = `whpk_${Buffer.alloc(32, 1).toString('base64')}`;
    await typed.secrets.set(other);
    expect(typed.secrets.facts().secrets).toEqual([other]);
  });

  test.each([[{}], [undefined], [{ keys: [] }], [new AppFailure('NETWORK', '')]])(
    'of another service may be missing (%#)',
    async (answer) => {
      const { secrets, answers, state } = start();
      answers.set(publishedPath, answer);
      state.hasLog = true;
      expect(await secrets.source()).toBe('none');
    },
  );

  test('that cannot be read are an error for who asks, and none for the others', async () => {
    const { secrets, answers, state } = start();
    answers.set(publishedPath, new TypeError('bug'));
    state.hasLog = true;
    expect(secrets.facts().secrets).toEqual([]);
    await expect(secrets.source()).rejects.toThrow('bug');
    const sandbox = start('sandbox', { isSandbox: true });
    sandbox.answers.set(sandboxPath, new TypeError('bug'));
    await expect(sandbox.secrets.source()).rejects.toThrow('bug');
  });

  test('are typed, and the ones before are candidates', async () => {
    const { secrets, stored, use } = start();
    await secrets.set(` ${first}\n${second} `);
    expect([...stored]).toEqual([['webhook-secret:one', `${first} ${second}`]]);
    await secrets.set(`${first} ${second}`);
    expect(stored.size).toBe(1);
    await secrets.set(third);
    expect(Object.fromEntries(stored)).toEqual({
      'webhook-secret:one': third,
      'webhook-secret-previous:one': `${first} ${second}`,
    });
    stored.set('webhook-secret:two', key(4));
    stored.set('webhook-secret:sandbox', key(5));
    expect(await secrets.candidates()).toEqual([
      { secret: third, origin: 'current' },
      { secret: first, origin: 'previous' },
      { secret: second, origin: 'previous' },
      { secret: 'client secret', origin: 'client' },
      { secret: key(5), origin: 'other-connection' },
      { secret: key(4), origin: 'other-connection' },
    ]);
    use('two');
    expect(await secrets.candidates()).toEqual([
      { secret: key(4), origin: 'current' },
      { secret: key(5), origin: 'other-connection' },
      { secret: third, origin: 'other-connection' },
    ]);
    await secrets.deleteOf('one');
    expect([...stored.keys()]).toEqual(['webhook-secret:two', 'webhook-secret:sandbox']);
    await secrets.set(null);
    expect(stored.has('webhook-secret:two')).toBe(false);
  });

  test.each(['', ' ', 'short', `${first} short`, [1, 2, 3, 4, 5].map(key).join(' ')])(
    'are refused if one is none: %j',
    async (text) => {
      const { secrets, stored } = start();
      await expect(secrets.set(text)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'secret' } });
      expect(stored.size).toBe(0);
      await secrets.set([1, 2, 3, 4].map(key).join(' '));
      expect(stored.size).toBe(1);
    },
  );
});
