// `rainbell login`: a user's token by the sign-in page in a browser on this computer, against our own service.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answerDialog } from '#test/core/session/access-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { registerApplication } from '#test/service/oauth/registered-application.ts';
import { ann, startWebsite } from '#test/service/website/website-service.ts';
import { folderWithConnection, runRainbell, startRainbell } from './rainbell-process.ts';

const registered = 'http://127.0.0.1/callback';

/** A service whose public client has this redirect URL, and a user with a browser. */
async function start({ redirectUri = registered } = {}) {
  const service = await startWebsite();
  const { clientId } = await registerApplication(service, { isPublic: true, redirectUris: [registered] });
  await service.oauth.accounts.create({ ...ann, username: 'bob', email: 'bob@example.org' });
  const urls = { baseUrl: service.baseUrl, authUrl: service.baseUrl, redirectUri };
  const folder = folderWithConnection({ ...urls, clientId, isPublic: true, scope: 'post_metag' });
  const flags = ['--base-url', service.baseUrl, '--client-id', clientId, '--data', folder];
  const answer = async (address: string, decision: 'approve' | 'deny') => {
    const location = await answerDialog(address, { username: 'bob', password: ann.password }, { decision });
    expect((await fetch(location)).status).toBe(200);
  };
  return { service, folder, flags, answer, named: ['--connection', 'staging', '--data', folder] };
}

const shown = /Open this URL in a browser on this computer: (\S+)/;

/** Every access token of the user reaches the weather; the service here has no weather, so it says what it lacks. */
const forecast = (flags: readonly string[]) => runRainbell(['forecast', '45', '7', '--json', ...flags]);

describe('rainbell login', () => {
  test('prints the URL of the sign-in page, waits for the user, and leaves an encrypted token for other commands', async () => {
    const { service, folder, flags, answer, named } = await start();
    expect(await forecast(flags)).toMatchObject({ code: 2, words: expect.stringContaining('rainbell login') });
    const login = startRainbell(['login', ...flags]);
    const [, address = ''] = await login.says(shown);
    expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256');
    await answer(address, 'approve');
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
    const { named, answer } = await start();
    const login = async (decision: 'approve' | 'deny') => {
      const started = startRainbell(['login', '--json', ...named]);
      const [, address = ''] = await started.says(shown);
      await answer(address, decision);
      return started.ended;
    };
    const denied = await login('deny');
    expect(denied).toMatchObject({ code: 3, out: '' });
    expect(denied.words).toContain('\nerror: Access was denied on the sign-in page. Nothing changed.');
    const approved = await login('approve');
    expect(approved.code).toBe(0);
    // The service does not return a scope that is granted as requested (RFC 6749 section 5.1).
    expect(JSON.parse(approved.out)).toEqual({ signedIn: true, expiresAt: expect.any(String), scope: null });
  });

  test('says so if the connection has no redirect URL, or no service is named', async () => {
    const { named } = await start({ redirectUri: '' });
    const refused = await runRainbell(['login', ...named]);
    expect(refused).toMatchObject({ out: '', words: expect.stringContaining('The connection has no redirect URL.') });
    const unnamed = await runRainbell(['login', '--data', temporaryFolder()]);
    expect(unnamed).toMatchObject({ code: 2, words: expect.stringContaining('missing --connection NAME') });
  });
});
