// The log file: bounded, with the files before it, written by two processes at once, and without secrets.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLog } from '#core/hosting/open-log.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const limits = { fileBytes: 10_000, maxFiles: 3, linesBetweenLooks: 10 };

test('a log that grows moves on and keeps the last files, also where app and service write it together', () => {
  const folder = join(temporaryFolder(), 'logs');
  const file = join(folder, 'rainbell.log');
  const [app, service] = [openLog(file, 'app', limits), openLog(file, 'service', limits)];
  for (let line = 0; line < 1000; line += 1) {
    app.info({ line }, 'from the app');
    service.info({ line }, 'from the service');
  }
  const names = readdirSync(folder).toSorted();
  expect(names).toEqual(['rainbell.log', 'rainbell.log.1', 'rainbell.log.2', 'rainbell.log.3']);
  for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThan(15_000);
  const newest = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  for (const name of ['app', 'service']) expect(newest).toContain(`"name":"${name}","line":999`);
});

test('a secret member is masked wherever a whole object is logged by mistake', () => {
  const file = join(temporaryFolder(), 'logs', 'rainbell.log');
  openLog(file, 'app').info({ answer: { access_token: 'abcdef', headers: { authorization: 'Bearer x' } } }, 'oops');
  expect(readFileSync(file, 'utf8')).not.toMatch(/abcdef|Bearer x/);
});
