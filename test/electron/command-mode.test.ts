// The packaged `rainbell` command: the app's own main process with --cli runs the testers' commands and opens nothing.
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isReal, spawnRainbell, startRainbell, temporaryFolder } from './rainbell.ts';

const isWindows = process.platform === 'win32';

function start(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawnRainbell(args, { ...process.env, RAINBELL_PROVIDER: 'simulation', ...environment });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (!child.stdout || !child.stderr) throw new Error('The process has no output.');
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([out, words, [code]]) => ({ out, words: isReal ? '' : words, code: code as number | null }),
  );
  return { child, ended };
}

describe('the app with --cli', () => {
  it('runs a command with the app’s own output and exit codes', async () => {
    const help = await start(['--cli', '--', '--help']).ended;
    expect(help).toMatchObject({ code: 0, words: '' });
    expect(help.out).toContain('rainbell COMMAND');
    expect(await start(['--no-sandbox', '--cli', 'lisen']).ended).toMatchObject({ code: 2, out: '' });
  });

  it('works beside the running app, on its data folder and its sandbox, and does not touch its windows', async () => {
    const app = await startRainbell();
    const page = await app.firstPage();
    await page
      .getByText(/Application token: \d/)
      .first()
      .waitFor();
    const create = ['monitors', 'create', '45.0703', '7.6869', '--json', '--data', app.dataFolder];
    const created = await start(['--cli', '--', ...create]).ended;
    expect(created).toMatchObject({ code: 0, words: '' });
    expect(JSON.parse(created.out)).toMatchObject({ monitorType: 'precipitation', lat: 45.0703, lng: 7.6869 });
    const windows = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
    expect(windows).toBe(1);
    expect(app.output()).not.toContain('already open');
    // A link or a file name before it opens the app. On Windows, Electron refuses any argument after a URL.
    if (isWindows) return;
    const second = await start(['rainbell://monitors', '--cli', '--data', app.dataFolder]).ended;
    expect(second.out).toContain('already open');
  });

  it('starts its own sandbox and threads if no app runs', async () => {
    const data = ['--data', await temporaryFolder()];
    const forecast = await start(['--cli', '--', 'forecast', '45.0703', '7.6869', '--json', ...data]).ended;
    expect(forecast).toMatchObject({ code: 0 });
    expect((JSON.parse(forecast.out) as { points: unknown[] }).points).toHaveLength(73);
  });

  // A signal ends a process there at once.
  it.skipIf(isWindows)('receives callbacks until it is interrupted', async () => {
    const data = ['--data', await temporaryFolder()];
    const { child, ended } = start(['--cli', '--', 'listen', '--port', '0', ...data]);
    const [words] = (await once(child.stderr!, 'data')) as [Buffer | string];
    const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(String(words))?.[0] ?? '';
    expect((await fetch(`${baseUrl}/hooks/a`, { method: 'POST', body: '{}' })).status).toBe(200);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining('POST /hooks/a') });
  });
});
