// Debian's redis-server on a free port, with a password. If it is missing, the tests that need it are skipped and say so; in CI on
// Linux they fail.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { freePorts } from '#test/setup/free-ports.ts';

/** Why there is no Redis here; undefined if there is. */
export const missingRedis = spawnSync('redis-server', ['--version']).error
  ? 'redis-server is not installed'
  : undefined;

if (missingRedis !== undefined && process.env['RAINBELL_REQUIRE_REDIS'] !== undefined) {
  throw new Error('CI on Linux needs redis-server: apt-get install redis-server');
}

export const redisPassword = 'secret-of-redis';

export type RedisServer = {
  url: string;
  /** With TLS. */
  secureUrl: string;
  /** The authority of its certificate, in PEM. */
  authority: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** It keeps its connections, and answers nothing until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends it for good, and removes its folder. */
  stop(): Promise<void>;
};

export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'rainbell-redis-'));
  const [port = 0, securePort = 0] = await freePorts(2);
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  await writeFile(certificateFile, cert);
  await writeFile(keyFile, key);
  const settings = {
    port,
    'tls-port': securePort,
    'tls-cert-file': certificateFile,
    'tls-key-file': keyFile,
    'tls-ca-cert-file': certificateFile,
    'tls-auth-clients': 'no',
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    requirepass: redisPassword,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      started.stdout.on('data', (text: Buffer) => {
        output += String(text);
        if (output.includes('Ready to accept connections')) resolve();
      });
      started.once('close', () => reject(new Error(`redis-server ended:\n${output}`)));
    });
  }

  async function kill(): Promise<void> {
    const ended = child && child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child?.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    url: `redis://:${redisPassword}@127.0.0.1:${port}/1`,
    secureUrl: `rediss://:${redisPassword}@127.0.0.1:${securePort}`,
    authority: cert,
    kill,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
