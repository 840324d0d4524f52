// Whether Chromium's sandbox can work, on Linux systems of every kind. Electron and `unshare` are shell scripts here, and the kernel's
// settings are files.
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeMissingSandbox } from '#scripts/sandbox.mjs';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

type System = {
  unshare?: 'allowed' | 'refused';
  /** What the kernel calls Electron's AppArmor profile, on a system that restricts user namespaces. */
  label?: string;
  helperMode?: number;
};

/** Its folder has a quotation mark, which the commands for the shell must escape. */
async function onSystem({ unshare = 'allowed', label, helperMode }: System, user = 1000) {
  const base = temporaryFolder();
  const folder = join(base, "Ann's Electron");
  const proc = join(base, 'proc');
  await mkdir(folder);
  await mkdir(join(proc, 'sys', 'kernel'), { recursive: true });
  if (label !== undefined) await writeFile(join(proc, 'sys', 'kernel', 'apparmor_restrict_unprivileged_userns'), '1\n');
  const program = join(folder, 'electron');
  const helper = join(folder, 'chrome-sandbox');
  await writeScript(program, `[ "$ELECTRON_RUN_AS_NODE" = 1 ] && echo '${label}'`);
  await writeScript(join(base, 'unshare'), unshare === 'allowed' ? 'exit 0' : 'exit 1');
  await writeFile(helper, '');
  if (process.getuid?.() === 0) await chown(helper, 0, 0);
  if (helperMode !== undefined) await chmod(helper, helperMode);
  const text = describeMissingSandbox(program, { user, proc, path: `${base}:/usr/bin:/bin` });
  return { text, program, helper };
}

async function writeScript(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

const shellQuoted = (path: string) => `'${path.replace("'", "'\\''")}'`;

describe.skipIf(process.platform !== 'linux')('the sandbox of Chromium', () => {
  it.each<[string, System]>([
    ['lets programs create user namespaces', {}],
    [
      'has an AppArmor profile for Electron, and restricts user namespaces',
      { label: 'rainbell-electron (unconfined)' },
    ],
  ])('works on a system that %s', async (_kind, system) => {
    expect((await onSystem(system)).text).toBeUndefined();
  });

  it.skipIf(process.getuid?.() !== 0)(
    "works with Chromium's helper if it belongs to root and has mode 4755",
    async () => {
      expect((await onSystem({ unshare: 'refused', helperMode: 0o4755 })).text).toBeUndefined();
      expect((await onSystem({ unshare: 'refused', helperMode: 0o755 })).text).toBeDefined();
    },
  );

  it('needs a profile or the helper on a system with AppArmor, even if others may create user namespaces', async () => {
    const { text, program, helper } = await onSystem({ label: 'unconfined' });
    const profile = '/etc/apparmor.d/rainbell-electron';
    expect(text?.split('\n')).toEqual([
      "Chromium's sandbox doesn't work here. To open the app in Electron, do one of these:",
      '- Add an AppArmor profile for Electron, once:',
      `  printf '%s\\n' 'abi <abi/4.0>,' 'profile rainbell-electron "'${shellQuoted(program)}'" flags=(unconfined) {' 'userns,' '}' | sudo tee ${profile}`,
      `  sudo apparmor_parser --replace ${profile}`,
      "- Let Chromium's helper run as root, again after each installation of the packages:",
      `  sudo chown root:root ${shellQuoted(helper)} && sudo chmod 4755 ${shellQuoted(helper)}`,
      '- Turn the sandbox off, so that a web page that exploits a bug in Chromium can do everything that you can:',
      '  npm start -- --no-sandbox',
    ]);
  });

  it('needs the helper in a container that refuses user namespaces', async () => {
    const { text } = await onSystem({ unshare: 'refused' });
    expect(text).toContain('chmod 4755');
    expect(text).not.toContain('AppArmor');
  });

  it('does not work as root', async () => {
    const { text } = await onSystem({}, 0);
    expect(text?.split('\n').slice(1)).toEqual([
      '- Start Rainbell as another user.',
      expect.stringContaining('- Turn the sandbox off'),
      '  npm start -- --no-sandbox',
    ]);
  });
});
