// The headless host's settings file.
import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { createHeadlessHost } from '#headless/headless-host.ts';
import { openLog } from '#core/hosting/open-log.ts';
import { createAppSettings } from '#core/settings/app-settings.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

test('writes through a link to a settings file elsewhere', () => {
  const [dataFolder, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const [file, link] = [join(elsewhere, 'mine.json'), join(dataFolder, 'settings.json')];
  writeFileSync(file, '{"theme": "dark"}');
  symlinkSync(file, link);
  const log = openLog(join(dataFolder, 'logs', 'rainbell.log'), 'app');
  const { settings } = createHeadlessHost({ dataFolder, clock: systemClock, log });
  createAppSettings(settings, () => {}).update({ density: 'compact' });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ theme: 'dark', density: 'compact' });
});
