// One network setting on the command line, too: what is replayed or forwarded to other machines goes through the proxy of the
// app's active connection, and a dead proxy is named as the cause.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startProxy, startTlsHost } from '#test/stories/tls-host.ts';
import { refusingPort } from '#test/setup/free-ports.ts';
import { listeningAddress, runRainbell, sendCallback, startRainbell } from './rainbell-process.ts';

function folderWith(proxyUrl: string, caPem: string | null = null): string {
  const folder = join(temporaryFolder(), 'data');
  mkdirSync(folder);
  const connection = {
    id: 'c-1',
    name: 'Staging',
    color: 'orange',
    baseUrl: 'https://api.example.com',
    authUrl: 'https://api.example.com',
    clientId: 'client1',
    isPublic: false,
    redirectUri: '',
    scope: '',
    caPem,
    proxyUrl,
  };
  const settings = { connections: [connection], selectedConnection: 'c-1' };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  return folder;
}

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
    const folder = folderWith(proxyUrl, caPem);
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
    listening.child.kill('SIGINT');
    await listening.ended;
  });

  test('a dead proxy is named, not the service behind it', async () => {
    const port = await refusingPort();
    const folder = folderWith(`http://127.0.0.1:${port}`);
    const environment = { RAINBELL_CLIENT_SECRET: 'a secret' };
    const forecast = ['forecast', '45', '7', '--connection', 'Staging', '--data', folder];
    const asked = await runRainbell(forecast, { environment });
    expect(asked).toMatchObject({ code: 4, out: '' });
    expect(asked.words).toContain(`The proxy 127.0.0.1:${port} isn’t responding`);
    expect(asked.words).not.toContain('Nothing is responding at');

    const listening = startRainbell(['listen', '--port', '0', '--data', folder]);
    const [, baseUrl = ''] = await listening.says(listeningAddress);
    await sendCallback(baseUrl, 'precipitation_1');
    const replayed = await runRainbell(['replay', '1', '--to', 'https://hooks.example/in', '--data', folder]);
    expect(replayed.code).not.toBe(0);
    expect(replayed.out + replayed.words).toContain(`The proxy 127.0.0.1:${port} isn’t responding`);
    listening.child.kill('SIGINT');
    await listening.ended;
  });
});
