// Secrets of the headless host at rest.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecretFile } from '#core/hosting/secret-file.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const clock = createManualClock();

test('a secret survives a restart, and is nowhere readable in the folder', async () => {
  const folder = temporaryFolder();
  const { secrets } = openSecretFile({ folder, clock });
  await secrets.write('token', 'very secret');
  const again = openSecretFile({ folder, clock });
  expect(again.notices).toEqual([]);
  expect(await again.secrets.read('token')).toBe('very secret');
  for (const name of readdirSync(folder)) {
    expect(readFileSync(join(folder, name), 'latin1')).not.toContain('very secret');
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  }
  await again.secrets.write('token', null);
  expect(await openSecretFile({ folder, clock }).secrets.read('token')).toBeNull();
});

test('a changed entry, or one under another name, is none', async () => {
  const folder = temporaryFolder();
  await openSecretFile({ folder, clock }).secrets.write('one', 'value');
  const file = join(folder, 'secrets.json');
  const sealed = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { data: string }>;
  const one = sealed['one'];
  writeFileSync(file, JSON.stringify({ one: { ...one, data: Buffer.from('other').toString('base64') }, two: one }));
  const { secrets } = openSecretFile({ folder, clock });
  expect(await secrets.read('one')).toBeNull();
  expect(await secrets.read('two')).toBeNull();
});

test('files that cannot be read are backed up and reported, and the app starts', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'secrets.key'), 'short');
  writeFileSync(join(folder, 'secrets.json'), 'garbage');
  const { secrets, notices } = openSecretFile({ folder, clock });
  expect(notices).toHaveLength(2);
  expect(readdirSync(folder).filter((name) => name.includes('unreadable'))).toHaveLength(2);
  await secrets.write('token', 'new');
  expect(await openSecretFile({ folder, clock }).secrets.read('token')).toBe('new');
});
