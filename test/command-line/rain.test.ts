// `rainbell rain`, `test-event`, and what a CI job does with them, as processes against the real service.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { listeningAddress, runRainbell, sendCallback, startRainbell } from './rainbell-process.ts';

async function startTarget() {
  const target = { status: 202 };
  const endpoint = await startCallbackEndpoint((_callback, response) => void response.writeHead(target.status).end());
  return Object.assign(target, { requests: endpoint.received, port: endpoint.port, url: new URL(endpoint.url).origin });
}

describe('one port for create, listen, and wait', () => {
  test('does not register a port that another program has', async () => {
    const folder = temporaryFolder();
    const target = await startTarget();
    await writeFile(join(folder, 'settings.json'), JSON.stringify({ receiverPort: target.port }));
    const created = await runRainbell(['monitors', 'create', '45', '7', '--data', folder]);
    expect(created).toMatchObject({ code: 5, out: '' });
    expect(created.words).toContain('is in use by another program, so callbacks would not reach Rainbell');
    const waited = await runRainbell(['wait', '--timeout', '0', '--data', folder]);
    expect(waited.code).toBe(5);
    expect(waited.words).toContain('is in use by another program, so callbacks sent there don’t reach Rainbell');
  });
});

describe('rain on demand', () => {
  test('fires the monitor, says in cool-down why it stays silent, and moves the clock on request', async () => {
    const data = ['--data', temporaryFolder()];
    const target = await startTarget();
    const callback = ['--callback', `${target.url}/hook`, '--json'];
    const created = await runRainbell(['monitors', 'create', '45', '7', ...callback, ...data]);
    expect(created.words).toMatch(
      /^The app is not running with .*, so this command is running the sandbox itself\.\n$/,
    );
    const { id } = JSON.parse(created.out) as { id: string };
    const rained = await runRainbell(['rain', '--monitor', id, '--json', ...data]);
    expect(rained.code).toBe(0);
    expect(JSON.parse(rained.out)).toMatchObject({ events: [{ monitorId: id, attempt: 1, httpStatus: 202 }] });
    expect(target.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /hook']);

    const explained = await runRainbell(['why', id, ...data]);
    expect(explained.code).toBe(0);
    expect(explained.out).toMatch(
      /^In cool-down until (\S+ )?\d\d:\d\d UTC, after the event at (\S+ )?\d\d:\d\d UTC\. The event of .* was delivered to .*\n$/,
    );

    const explanation = await runRainbell(['why', id, '--json', ...data]);
    const [, members = ''] = /\{(monitor_id[^}]*)\}/.exec((await runRainbell(['why', '--help'])).out) ?? [];
    expect(Object.keys(JSON.parse(explanation.out) as object)).toEqual(expect.arrayContaining(members.split(/,\s+/)));

    const listed = await runRainbell(['events', '--since', '1d', '--state', 'delivered', '--monitor', id, ...data]);
    expect(listed).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^precipitation_\d+: The event of .* was delivered to \S+: 202 Accepted in \d+ ms \(scenario.* km\)\n$/,
      ),
    });
    const csv = await runRainbell(['events', '--host', new URL(target.url).host, '--csv', ...data]);
    expect(csv.out.split('\r\n')).toEqual([expect.stringMatching(/^id,/), expect.stringContaining(`,${id},`), '']);
    expect(await runRainbell(['events', '--state', 'failed', ...data])).toMatchObject({ code: 0, out: '' });
    expect(await runRainbell(['events', '--state', 'lost', ...data])).toMatchObject({ code: 2, out: '' });

    const silent = await runRainbell(['rain', '--monitor', id, ...data]);
    expect(silent).toMatchObject({ code: 1, out: '' });
    expect(silent.words).toContain(`${id} is in cool-down until `);
    expect((await runRainbell(['rain', '--location', '45.01,7', '--skip-cool-down', ...data])).code).toBe(0);
    expect((await runRainbell(['test-event', id, ...data])).code).toBe(0);
    expect(target.requests).toHaveLength(3);
    const [newest] = (await runRainbell(['events', '--monitor', id, ...data])).out.split('\n');
    expect(newest).toContain(`${id}: The test event of `);
    expect((await runRainbell(['monitors', 'update', id, '--pause', ...data])).code).toBe(0);
    const paused = await runRainbell(['rain', '--monitor', id, '--skip-cool-down', '--timeout', '1', ...data]);
    expect(paused).toMatchObject({ code: 1, words: expect.stringContaining(`rainbell why ${id}`) });

    expect(await runRainbell(['why', 'precipitation_999', ...data])).toMatchObject({ code: 3, out: '' });
    const unknown = await runRainbell(['rain', '--monitor', 'precipitation_999', ...data]);
    expect(unknown).toMatchObject({ code: 3, words: expect.stringContaining('has no monitor precipitation_999') });
    const deleted = { code: 0, out: `${id} was deleted\n` };
    expect(await runRainbell(['monitors', 'delete', id, ...data])).toMatchObject(deleted);
    expect((await runRainbell(['monitors', 'delete', id, ...data])).code).toBe(3);
    expect(await runRainbell(['why', id, ...data])).toMatchObject({
      code: 3,
      words: expect.stringMatching(
        new RegExp(`Monitor ${id} was deleted\\. The (test )?event of .* was delivered to `),
      ),
    });
  });
});

describe('rainbell listen and wait with conditions', () => {
  test('filter, print headers and body, forward with path and query, and wait for several by path', async () => {
    const folder = temporaryFolder();
    const target = await startTarget();
    const forward = ['--forward-to', `${target.url}/app/`, '--filter', 'path:/hooks', '--print', 'all'];
    const listening = startRainbell(['listen', '--port', '0', ...forward, '--data', folder]);
    const [, baseUrl = ''] = await listening.says(listeningAddress);
    const waiting = startRainbell(['wait', '--path', '/hooks', '--count', '2', '--json', '--data', folder]);
    await waiting.says(/shows the callbacks stored there/);
    await sendCallback(baseUrl, 'precipitation_1', '/other');
    await sendCallback(baseUrl, 'precipitation_2', '/hooks/a?b=c');
    await listening.says(/Callback 2 forwarded: 202/);
    await sendCallback(baseUrl, 'precipitation_3', '/hooks/b');
    await listening.says(/Callback 3 forwarded: 202/);
    const { code, out } = await waiting.ended;
    expect(code).toBe(0);
    const came = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(came).toEqual([
      expect.objectContaining({ id: 2, body: '{"id":"precipitation_2","monitor_type":"precipitation"}' }),
      expect.objectContaining({ id: 3, headers: expect.arrayContaining([['content-type', 'application/json']]) }),
    ]);
    expect(target.requests.map(({ path, headers }) => `${path} ${headers['content-type']}`)).toEqual([
      '/app/hooks/a?b=c application/json',
      '/app/hooks/b application/json',
    ]);
    const lines = await listening.prints(2);
    expect(lines.filter((line) => /^\d+ /.test(line))).toHaveLength(2);
    expect(lines.join('\n')).toContain('  {"id":"precipitation_2"');
  });
});
