// Where a running app tells the command line how to reach it.
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAddressFile, readAddressFile } from '#core/hosting/address-file.ts';
import { startWithReceiver } from '../callbacks/callback-harness.ts';
import { startFakeService } from '../fake-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('a running app shows its receiver and its service only to its owner', async () => {
  const { core, dataFolder, baseUrl, close } = await startWithReceiver();
  const file = join(dataFolder, 'addresses.json');
  expect(readAddressFile(dataFolder)).toEqual({ service: null, receiver: baseUrl });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { introduction } = await startFakeService();
  core.connectSandbox(introduction);
  expect(readAddressFile(dataFolder)).toEqual({ service: introduction.baseUrl, receiver: baseUrl });
  core.sandboxFailed({ code: 'NETWORK', message: 'It stopped.', details: {} });
  expect(readAddressFile(dataFolder)?.service).toBeNull();
  await close();
  expect(existsSync(file)).toBe(false);
});

test('a file that says something else, and a folder that cannot be written to, do no harm', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'addresses.json'), '{"service": "no address"}');
  expect(readAddressFile(folder)).toBeUndefined();
  const failures: unknown[] = [];
  createAddressFile(join(folder, 'missing'), (error) => failures.push(error)).write({ service: null, receiver: null });
  expect(failures).toHaveLength(1);
});
