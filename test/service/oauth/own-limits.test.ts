// Limits hit the client that caused them: over real HTTP, with addresses of a trusted proxy standing for clients.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createPasswords } from '#service/accounts/passwords.ts';
import { basic, type OAuthService, postToken, startOAuthService } from './oauth-service.ts';
import { carol, registerApplication } from './registered-application.ts';

const ours = { grant_type: 'client_credentials' };
const behindProxy = { trustedProxies: ['127.0.0.1'] };

describe('client authentication', () => {
  test('accepts right credentials after eighty failures of unknown client IDs from the same address', async () => {
    const service = await startOAuthService();
    const { clientId, clientSecret } = service.sandbox;
    const statuses: number[] = [];
    for (let count = 0; count < 80; count += 1) {
      const { status } = await postToken(service, ours, { authorization: basic(`unknown${count}`, 'x') });
      statuses.push(status);
    }
    const right = await postToken(service, ours, { authorization: basic(clientId, clientSecret) });
    expect(right.status).toBe(200);
    expect(statuses).toEqual([...Array<number>(40).fill(401), ...Array<number>(40).fill(429)]);
  });

  test('refuses the 41st wrong secret of one client ID sent with Basic, and never its right secret', async () => {
    // Windows are of the machine's time.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const service = await startOAuthService();
    const { clientId, clientSecret } = service.sandbox;
    const guess = (secret: string) => postToken(service, ours, { authorization: basic(clientId, secret) });
    for (let count = 0; count < 40; count += 1) expect((await guess(`guess-${count}`)).status).toBe(401);
    const refused = await guess('guess-40');
    expect([refused.status, refused.answer['error'], refused.response.headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      '300',
    ]);
    expect((await guess(clientSecret)).status).toBe(200);
    // Another application at that address has a count of its own.
    const other = await registerApplication(service);
    expect((await postToken(service, ours, { authorization: basic(other.clientId, 'x') })).status).toBe(401);
  });
});

describe('behind a reverse proxy', () => {
  const clients = ['198.51.100.1', '198.51.100.2', '2001:db8:0:1:2:3:4:5', '2001:db8:0:2:2:3:4:5'];
  /** What each client gets after the first and the third have sent 41 wrong secrets. */
  const guessUntilRefused = async (service: OAuthService, write: (client: string, count: number) => string) => {
    const authorization = basic(service.sandbox.clientId, 'guess');
    const guess = async (client = '', count = 0) => {
      const forwardedFor = `198.51.100.99, ${write(client, count)}`;
      return (await postToken(service, ours, { authorization, forwardedFor })).status;
    };
    for (let count = 0; count < 41; count += 1) for (const index of [0, 2]) await guess(clients[index], count);
    return Promise.all(clients.map((client) => guess(client)));
  };

  test('guesses are counted by the client that a trusted proxy names, also with a port, as Azure and RFC 7239 write it', async () => {
    const service = await startOAuthService({ trustedProxies: ['127.0.0.0/8', '198.51.100.98'] });
    const write = (client: string, count: number) =>
      count % 2 === 0
        ? client
        : `${client.includes(':') ? `[${client}]` : client}:${50_000 + count}, 198.51.100.98:${count + 1}`;
    expect(await guessUntilRefused(service, write)).toEqual([429, 401, 429, 401]);
  });

  test('headers that any client can set change nothing if no proxy is trusted', async () => {
    expect(await guessUntilRefused(await startOAuthService(), (client) => client)).toEqual([429, 429, 429, 429]);
  });
});

describe('a password', () => {
  const signIn = async (service: OAuthService, username: string, password: string, forwardedFor: string) => {
    const { clientId, clientSecret } = service.sandbox;
    const form = { grant_type: 'password', username, password };
    const call = { authorization: basic(clientId, clientSecret), forwardedFor };
    return (await postToken(service, form, call)).status;
  };

  test('is guessed forty times at most by username and email address together', async () => {
    const service = await startOAuthService(behindProxy);
    await registerApplication(service);
    for (let count = 0; count < 20; count += 1) {
      expect(await signIn(service, carol.username, 'x', '192.0.2.1')).toBe(400);
      expect(await signIn(service, carol.email, 'x', '192.0.2.1')).toBe(400);
    }
    expect(await signIn(service, carol.username, carol.password, '192.0.2.1')).toBe(429);
    expect(await signIn(service, carol.username, carol.password, '192.0.2.2')).toBe(200);
  });

  test('is guessed at most 42 times by simultaneous requests', async () => {
    const service = await startOAuthService(behindProxy);
    await registerApplication(service);
    const statuses = await Promise.all(
      Array.from({ length: 90 }, () => signIn(service, carol.username, 'x', '192.0.2.1')),
    );
    // Two hashes run at once, so the fortieth failure may be seen two guesses late.
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(42);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(48);
  });

  test('of another address is verified while one address has two hundred sign-ins under way', async () => {
    const passwords = createPasswords({ cost: 2 ** 12, passes: 1 });
    const stored = await passwords.hash('right');
    const flood = Array.from({ length: 200 }, () =>
      passwords.verify('x', stored, { address: '192.0.2.1' }).catch(() => 'refused'),
    );
    expect(await passwords.verify('right', stored, { address: '192.0.2.2' })).toBe(true);
    const outcomes = await Promise.all(flood);
    expect(outcomes.filter((outcome) => outcome === false).length).toBeGreaterThanOrEqual(100);
    expect(outcomes.filter((outcome) => outcome === 'refused').length).toBeLessThanOrEqual(100);
  });
});
