// The entry of the weather service's process: what it starts with, and how it ends.
import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import type { EmbeddedOptions } from '#service/app/embedded-service.ts';
import { setProperty } from '#test/electron/without-chromium.ts';

const outside = vi.hoisted(() => ({
  run: (_options: unknown): { close: () => Promise<void> } => ({ close: async () => {} }),
  openLog: (file: string, name: string): unknown => [file, name],
}));
vi.mock('#service/app/embedded-service.ts', () => ({ runEmbeddedService: (options: unknown) => outside.run(options) }));
vi.mock('#core/hosting/log-file.ts', () => ({ openLog: (file: string, name: string) => outside.openLog(file, name) }));

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('runs the service with the app’s settings, reports to the app, and closes before it ends', async () => {
  const started: EmbeddedOptions[] = [];
  const closed = Promise.withResolvers<void>();
  const ends: string[] = [];
  outside.run = (options) => {
    started.push(options as EmbeddedOptions);
    return {
      close: () => {
        ends.push('close');
        return closed.promise;
      },
    };
  };
  const posted: unknown[] = [];
  const parentPort = Object.assign(new EventEmitter(), {
    postMessage: (message: unknown) => void posted.push(message),
  });
  setProperty(process as unknown as { parentPort: unknown }, 'parentPort', parentPort);
  setProperty(process, 'exit', ((code: number) => void ends.push(`exit ${code}`)) as never);
  vi.stubEnv('RAINBELL_PROVIDER', 'of the process');
  const environment = { RAINBELL_PROVIDER: 'of the app', RAINBELL_CONTACT: 'of the app' };
  const data = { dataFolder: '/data', port: 8420, logFile: '/data/logs/rainbell.log', environment };
  setProperty(process, 'argv', ['/program', '--some-flag', JSON.stringify(data)]);

  await import('#electron/service-process.ts');
  expect(started).toHaveLength(1);
  const [{ dataFolder, port, log, workers, tell, environment: settings }] = started as [EmbeddedOptions];
  expect([dataFolder, port, log]).toEqual(['/data', 8420, ['/data/logs/rainbell.log', 'service']]);
  expect(settings).toMatchObject({ RAINBELL_PROVIDER: 'of the process', RAINBELL_CONTACT: 'of the app' });
  expect(workers?.places.pathname).toMatch(/\/service-places-worker\.js$/);
  tell({ kind: 'failed', message: 'no port' });
  expect(posted).toEqual([{ kind: 'failed', message: 'no port' }]);

  parentPort.emit('message', { data: { kind: 'other' } });
  expect(ends).toEqual([]);
  parentPort.emit('message', { data: { kind: 'close' } });
  await settle();
  expect(ends).toEqual(['close']);
  closed.resolve();
  await settle();
  expect(ends).toEqual(['close', 'exit 0']);
  vi.unstubAllEnvs();
});
