// docs/tokens.md T18 on the command line: a connection saved in the app is used by its name, with its certificates and its proxy. What is
// replayed or forwarded to other machines goes through the proxy of the active connection.
import { describe, expect, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { openSecretFile } from '#core/hosting/secret-file.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { startProxy, startTlsHost } from '#test/stories/tls-host.ts';
import { refusingPort } from '#test/setup/free-ports.ts';
import {
  folderWithConnection,
  listeningAddress,
  runRainbell,
  sendCallback,
  startRainbell,
} from './rainbell-process.ts';

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

async function folderWithSecret(fields: object): Promise<string> {
  const folder = folderWithConnection(fields);
  await openSecretFile({ folder, clock: systemClock }).secrets.write('client secret c-1', secret);
  return folder;
}

const runCommand = (folder: string, name = 'staging', environment: Record<string, string> = {}) =>
  runRainbell(['forecast', '45', '7', '--json', '--connection', name, '--data', folder], { environment });

describe('a command with a connection saved in the app (docs/tokens.md T18)', () => {
  test('trusts its authority and goes through its proxy, and sends nothing without the authority', async () => {
    const { baseUrl, caPem, seen } = await startService();
    const { proxyUrl, tunnels } = await startProxy();
    const doubting = await runCommand(await folderWithSecret({ baseUrl }));
    expect(doubting).toMatchObject({ code: 4, words: expect.stringContaining('certificate') });
    expect(seen).toEqual([]);
    const { code, out, words } = await runCommand(await folderWithSecret({ baseUrl, caPem, proxyUrl }));
    expect({ code, words }).toEqual({ code: 0, words: '' });
    expect(out + words).not.toContain(secret);
    expect(seen).toEqual(['POST /token/', 'GET /v2/weather/']);
    expect(new Set(tunnels)).toEqual(new Set([new URL(baseUrl).host]));
  });

  test('takes the secret from the environment if only the desktop’s keyring has it', async () => {
    const { baseUrl, caPem } = await startService();
    const folder = folderWithConnection({ baseUrl, caPem });
    expect(await runCommand(folder)).toMatchObject({
      code: 2,
      words: expect.stringContaining('RAINBELL_CLIENT_SECRET'),
    });
    expect(await runCommand(folder, 'Staging', { RAINBELL_CLIENT_SECRET: secret })).toMatchObject({ code: 0 });
  });

  test('that is not there names those that are', async () => {
    expect(await runCommand(folderWithConnection({ baseUrl: 'https://localhost' }), 'Live')).toMatchObject({
      code: 2,
      words: expect.stringContaining('Connections: “Staging”.'),
    });
  });
});

describe('with the active connection’s proxy', () => {
  test('listen forwards and replay sends through it to other machines, and directly to this one', async () => {
    const { proxyUrl, tunnels } = await startProxy();
    const paths: string[] = [];
    const { baseUrl: local, caPem } = await startTlsHost((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(204).end();
    }, 'hooks.example');
    // A name that only the proxy resolves.
    const elsewhere = local.replace('localhost', 'hooks.example');
    const folder = folderWithConnection({ proxyUrl, caPem }, 'c-1');
    const forward = ['--forward-to', `${elsewhere}/in`];
    const listening = startRainbell(['listen', '--port', '0', ...forward, '--data', folder]);
    const [, baseUrl = ''] = await listening.says(listeningAddress);
    await sendCallback(baseUrl, 'precipitation_1');
    await listening.says(/Callback 1 forwarded: 204/);
    const replay = (to: string) => runRainbell(['replay', '1', '--to', to, '--data', folder]);
    expect(await replay(`${elsewhere}/again`)).toMatchObject({ code: 0 });
    expect(paths).toEqual(['/in/hooks/test', '/again']);
    expect(new Set(tunnels)).toEqual(new Set([new URL(elsewhere).host]));
    const before = tunnels.length;
    const target = await startCallbackEndpoint();
    expect(await replay(target.url)).toMatchObject({ code: 0 });
    expect(tunnels).toHaveLength(before);
  });

  test('a dead proxy is named, not the service behind it', async () => {
    const port = await refusingPort();
    const folder = folderWithConnection({ proxyUrl: `http://127.0.0.1:${port}` }, 'c-1');
    const asked = await runCommand(folder, 'Staging', { RAINBELL_CLIENT_SECRET: secret });
    expect(asked).toMatchObject({ code: 4, out: '' });
    expect(asked.words).toContain(`The proxy 127.0.0.1:${port} isn’t responding`);
    expect(asked.words).not.toContain('Nothing is responding at');

    const listening = startRainbell(['listen', '--port', '0', '--data', folder]);
    const [, baseUrl = ''] = await listening.says(listeningAddress);
    await sendCallback(baseUrl, 'precipitation_1');
    const replayed = await runRainbell(['replay', '1', '--to', 'https://hooks.example/in', '--data', folder]);
    expect(replayed.code).not.toBe(0);
    expect(replayed.out + replayed.words).toContain(`The proxy 127.0.0.1:${port} isn’t responding`);
  });
});
