// docs/tokens.md T18 on the command line: a connection saved in the app is used by its name, with its certificates and its
// proxy.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openSecretFile } from '#core/hosting/secret-file.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startProxy, startTlsHost } from '#test/stories/tls-host.ts';
import { runRainbell } from './rainbell-process.ts';

const secret = 'tops3crettops3cret';

async function startService() {
  const seen: string[] = [];
  const host = await startTlsHost((request, response) => {
    seen.push(`${request.method} ${request.url?.split('?')[0]}`);
    const isToken = request.url === '/token/';
    const body = isToken ? { access_token: 'abcdef', token_type: 'bearer', expires_in: 60 } : { objects: [], meta: {} };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  return { ...host, seen };
}

async function folderWith(fields: object, clientSecret: string | null): Promise<string> {
  const folder = join(temporaryFolder(), 'data');
  mkdirSync(folder);
  const connection = {
    id: 'c-1',
    name: 'Staging',
    color: 'orange',
    authUrl: 'https://localhost',
    clientId: 'client1',
    isPublic: false,
    redirectUri: '',
    scope: '',
    caPem: null,
    proxyUrl: null,
    ...fields,
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ connections: [connection] }));
  if (clientSecret !== null) {
    await openSecretFile({ folder, clock: systemClock }).secrets.write('client secret c-1', clientSecret);
  }
  return folder;
}

const runCommand = (folder: string, name = 'staging', environment: Record<string, string> = {}) =>
  runRainbell(['forecast', '45', '7', '--json', '--connection', name, '--data', folder], { environment });

describe('a command with a connection saved in the app (docs/tokens.md T18)', () => {
  test('trusts its authority and goes through its proxy', async () => {
    const { baseUrl, caPem, seen } = await startService();
    const { proxyUrl, tunnels } = await startProxy();
    const folder = await folderWith({ baseUrl, caPem, proxyUrl }, secret);
    const { code, out, words } = await runCommand(folder);
    expect({ code, words }).toEqual({ code: 0, words: '' });
    expect(out + words).not.toContain(secret);
    expect(seen).toEqual(['POST /token/', 'GET /v2/weather/']);
    expect(new Set(tunnels)).toEqual(new Set([new URL(baseUrl).host]));
  });

  test('sends nothing if the authority is not trusted', async () => {
    const { baseUrl, seen } = await startService();
    const { code, words } = await runCommand(await folderWith({ baseUrl }, secret));
    expect(code).toBe(4);
    expect(words).toMatch(/certificate/);
    expect(seen).toEqual([]);
  });

  test('takes the secret from the environment if only the desktop’s keyring has it', async () => {
    const { baseUrl, caPem } = await startService();
    const folder = await folderWith({ baseUrl, caPem }, null);
    expect(await runCommand(folder)).toMatchObject({
      code: 2,
      words: expect.stringContaining('RAINBELL_CLIENT_SECRET'),
    });
    expect(await runCommand(folder, 'Staging', { RAINBELL_CLIENT_SECRET: secret })).toMatchObject({ code: 0 });
  });

  test('that is not there names those that are', async () => {
    const folder = await folderWith({ baseUrl: 'https://localhost' }, secret);
    const { code, words } = await runCommand(folder, 'Live');
    expect(code).toBe(2);
    expect(words).toContain('Connections: “Staging”.');
  });
});
