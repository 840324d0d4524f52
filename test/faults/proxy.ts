// Debian's haproxy with deploy/haproxy.cfg, in front of service processes. If it is missing, the tests that need it are skipped
// and say so; in CI on Linux they fail.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';

const configuration = fileURLToPath(new URL('../../deploy/haproxy.cfg', import.meta.url));

/** Why there is no proxy here; undefined if there is. */
export const missingProxy = spawnSync('haproxy', ['-v']).error ? 'haproxy is not installed' : undefined;

if (missingProxy !== undefined && process.env['RAINBELL_REQUIRE_HAPROXY'] !== undefined) {
  throw new Error('CI on Linux needs haproxy: apt-get install haproxy');
}

/** Forwards `port` to these ports of this machine. Resolves when it listens. */
export async function startProxy(port: number, servers: readonly number[]): Promise<{ url: string }> {
  const addresses = servers.map((server, index) => [`RAINBELL_SERVER_${index + 1}`, `127.0.0.1:${server}`]);
  const child = spawn('haproxy', ['-f', configuration, '-db'], {
    env: { ...process.env, RAINBELL_PROXY_BIND: `127.0.0.1:${port}`, ...Object.fromEntries(addresses) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(async () => {
      if (child.exitCode !== null) throw new Error(`haproxy ended:\n${complaint}`);
      return (await fetch(url).catch(() => undefined))?.status;
    })
    .toEqual(expect.any(Number));
  return { url };
}
