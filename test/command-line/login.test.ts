// `rainbell login`: a user's token without a browser on this machine (RFC 8628), against our own service.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerDialog } from '#test/core/access/access-harness.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { registerApplication } from '#test/oauth/registered-application.ts';
import { createVisitor, ann, register, startWebsite } from '#test/website/website-service.ts';
import { runRainbell, startRainbell } from './rainbell-process.ts';

/** A service whose public client has this redirect URL, and a user in a browser elsewhere. */
async function start() {
  const service = await startWebsite();
  const redirectUri = 'http://127.0.0.1/callback';
  const { clientId } = await registerApplication(service, { isPublic: true, redirectUris: [redirectUri] });
  const visitor = createVisitor(service.baseUrl);
  await register(visitor);
  const folder = join(temporaryFolder(), 'data');
  mkdirSync(folder);
  const connection = {
    id: 'c-1',
    name: 'Field',
    color: 'orange',
    baseUrl: service.baseUrl,
    authUrl: service.baseUrl,
    clientId,
    isPublic: true,
    redirectUri,
    scope: 'post_metag',
    caPem: null,
    proxyUrl: null,
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ connections: [connection] }));
  const flags = ['--base-url', service.baseUrl, '--client-id', clientId, '--data', folder];
  const answer = async (userCode: string, decision: 'approve' | 'deny') => {
    const question = await visitor.send('/device/', { user_code: userCode });
    await visitor.submitOnly(question, '/device/', { decision });
  };
  return { service, folder, flags, answer, named: ['--connection', 'field', '--data', folder] };
}

const shown = /Open (http:\S+\/device\/) in a browser on any device, and enter the code ([A-Z]{4}-[A-Z]{4})/;

/** Every access token of the user reaches the weather; the service here has no weather, so it says what it lacks. */
const forecast = (flags: readonly string[]) => runRainbell(['forecast', '45', '7', '--json', ...flags]);

describe('rainbell login', () => {
  test('prints a code and a URL, waits for the user, and leaves an encrypted token for other commands', async () => {
    const { service, folder, flags, answer, named } = await start();
    expect(await forecast(flags)).toMatchObject({ code: 2, words: expect.stringContaining('rainbell login') });
    const login = startRainbell(['login', ...flags, '--scope', 'post_metag']);
    const [, url, code = ''] = await login.says(shown);
    expect(url).toBe(`${service.baseUrl}/device/`);
    await answer(code, 'approve');
    expect(await login.ended).toMatchObject({ code: 0, out: 'Signed in.\n' });

    // 404 and not 401, or a demand for a secret: the request had the token.
    expect(await forecast(flags)).toMatchObject({ code: 3, words: expect.stringContaining('404') });
    // The same service and client by the connection's name.
    expect(await forecast(named)).toMatchObject({ code: 3, words: expect.stringContaining('404') });
    const monitors = await runRainbell(['monitors', 'list', ...named]);
    expect(monitors).toMatchObject({
      code: 3,
      words: expect.stringContaining('Monitors require a token from client credentials'),
    });
    const files = readdirSync(join(folder, 'command-line'));
    expect(files.toSorted()).toEqual(['secrets.json', 'secrets.key']);
    expect(readFileSync(join(folder, 'command-line', 'secrets.json'), 'utf8')).not.toContain('accessToken');

    expect(await runRainbell(['logout', ...named])).toMatchObject({ code: 0, out: 'Token revoked and deleted.\n' });
    const left = await service.db.selectFrom('grants').select('id').where('revoked_at', 'is', null).execute();
    expect(left).toEqual([]);
    expect(await forecast(flags)).toMatchObject({ code: 2, words: expect.stringContaining('rainbell login') });
    expect(await runRainbell(['logout', ...named])).toMatchObject({ code: 3 });
  });

  test('prints JSON for programs, and ends with 3 if the user says no', async () => {
    const { service, named, answer } = await start();
    const login = startRainbell(['login', '--device', '--json', ...named]);
    const [line = ''] = await login.prints(1);
    const { userCode, verificationUri } = JSON.parse(line) as Record<string, string>;
    expect(verificationUri).toBe(`${service.baseUrl}/device/`);
    await answer(userCode ?? '', 'deny');
    const { code, words } = await login.ended;
    expect(code).toBe(3);
    expect(words).toContain('Access was denied on the other device. Nothing changed.');
  });

  test('is given up with Ctrl+C', async () => {
    const { flags } = await start();
    const login = startRainbell(['login', ...flags]);
    await login.says(shown);
    login.child.kill('SIGINT');
    expect(await login.ended).toMatchObject({ code: 130, out: '' });
  });

  test('uses the sign-in page in a browser on this computer if the connection has a redirect URL', async () => {
    const { service, named } = await start();
    await service.oauth.accounts.create({ ...ann, username: 'bob', email: 'bob@example.org' });
    const login = startRainbell(['login', ...named]);
    const [, address = ''] = await login.says(/Open this URL in a browser on this computer: (\S+)/);
    expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256');
    const location = await answerDialog(address, { username: 'bob', password: ann.password });
    expect((await fetch(location)).status).toBe(200);
    expect(await login.ended).toMatchObject({ code: 0, out: 'Signed in.\n' });
  });

  test('says so if the service does not offer it, or none is named', async () => {
    const service = await startFakeService();
    const flags = ['--base-url', service.baseUrl, '--client-id', 'client1', '--data', temporaryFolder()];
    const refused = await runRainbell(['login', '--device', ...flags]);
    expect(refused).toMatchObject({ code: 3, out: '' });
    expect(refused.words).toContain('does not offer sign-in with a device code');
    const unnamed = await runRainbell(['login', '--data', temporaryFolder()]);
    expect(unnamed).toMatchObject({ code: 2, words: expect.stringContaining('missing --connection NAME') });
  });
});
