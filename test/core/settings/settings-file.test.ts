// The settings file before a library opens it: good files are backed up. test/fuzz/settings-files.fuzz.test.ts has garbage.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareSettingsFile } from '#core/settings/settings-file.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const clock = createManualClock();

test('the last good file comes back in the place of garbage', () => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, '{"theme":"dark"}');
  expect(prepareSettingsFile(file, clock)).toEqual([]);
  writeFileSync(file, 'garbage');
  expect(prepareSettingsFile(file, clock)[0]).toContain('the last successful start');
  expect(readFileSync(file, 'utf8')).toBe('{"theme":"dark"}');
});

test.each([
  ['a byte order mark', Buffer.from('\uFEFF{"name":"Zürich"}')],
  ['UTF-16', Buffer.from('\uFEFF{"name":"Zürich"}', 'utf16le')],
  ['the Windows code page', Buffer.from('{"name":"Zürich"}', 'latin1')],
])('a file with %s is read, and written as UTF-8 for the library', (_name, bytes) => {
  const file = join(temporaryFolder(), 'settings.json');
  writeFileSync(file, bytes);
  expect(prepareSettingsFile(file, clock)).toEqual([]);
  expect(readFileSync(file, 'utf8')).toBe('{"name":"Zürich"}');
  expect(readFileSync(`${file}.backup-1`, 'utf8')).toBe('{"name":"Zürich"}');
});
