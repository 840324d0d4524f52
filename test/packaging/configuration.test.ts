// What packaging does on systems whose packages cannot be built here (a dmg needs macOS, an installer the real Electron): the effective
// configuration by electron-builder's own check, signing with and without keys, the launchers, and what failures say.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { packaging, removeEmptyKeys } from '#scripts/packaging.mjs';
import { projectFolder } from '#scripts/tool.mjs';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const fromBuilder = createRequire(import.meta.url);
type Validate = (configuration: object, log: { isEnabled: boolean; add: () => void }) => Promise<void>;
const { validateConfiguration } = fromBuilder('app-builder-lib/out/util/config/config.js') as {
  validateConfiguration: Validate;
};
const signed = { CSC_LINK: 'certificate.p12', APPLE_API_KEY: 'key.p8', APPLE_API_KEY_ID: '1', APPLE_API_ISSUER: '2' };

async function runPackage(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['scripts/package.mjs', ...args], {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  const [out, words, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, words, code: code as number | null };
}

describe('the configuration', () => {
  it.each([{}, signed])('is one that electron-builder accepts, for every system: %j', async (environment) => {
    const log = { isEnabled: false, add: () => {} };
    await validateConfiguration(packaging(environment), log);
    const wrong = { ...packaging(environment), nsis: { oneClik: true } };
    await expect(validateConfiguration(wrong, log)).rejects.toThrow('configuration.nsis');
  });

  it('names files that exist', async () => {
    const { mac, win, linux } = packaging({});
    const named = [mac?.icon, win?.icon, linux?.icon, mac?.entitlements, packaging(signed).mac?.entitlements];
    for (const file of named) expect((await stat(join(projectFolder, String(file)))).size).toBeGreaterThan(0);
    const ico = await readFile(join(projectFolder, String(win?.icon)));
    expect([ico.readUInt16LE(2), ico[6]]).toEqual([1, 0]);
    expect((await readFile(join(projectFolder, String(mac?.icon)))).toString('latin1', 0, 4)).toBe('icns');
  });

  it('signs with a developer’s identity if there is one, and ad hoc otherwise, with the entitlement that needs', async () => {
    const own = packaging(signed).mac;
    expect(own).toMatchObject({ hardenedRuntime: true });
    expect(own).not.toHaveProperty('identity');
    const adHoc = packaging({}).mac;
    expect(adHoc).toMatchObject({ identity: '-', hardenedRuntime: true });
    const entitlement = 'com.apple.security.cs.disable-library-validation';
    expect(await readFile(join(projectFolder, String(adHoc?.entitlements)), 'utf8')).toContain(entitlement);
    expect(await readFile(join(projectFolder, String(own?.entitlements)), 'utf8')).not.toContain(entitlement);
  });

  it('hands no empty key to electron-builder, which would take it for a certificate', () => {
    type Packager = { prototype: { getCscLink(this: object, name?: string): string | undefined } };
    const { PlatformPackager } = fromBuilder('app-builder-lib') as {
      PlatformPackager: Packager;
    };
    const packager = { info: { config: packaging({}) }, platformSpecificBuildOptions: packaging({}).mac };
    const link = (name?: string) => PlatformPackager.prototype.getCscLink.call(packager, name);
    vi.stubEnv('CSC_LINK', '');
    vi.stubEnv('WIN_CSC_LINK', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect([link(), link('WIN_CSC_LINK')]).toEqual(['', '']);
    removeEmptyKeys(process.env);
    expect([link(), link('WIN_CSC_LINK')]).toEqual([undefined, undefined]);
    vi.stubEnv('CSC_LINK', 'certificate.p12');
    removeEmptyKeys(process.env);
    expect(link()).toBe('certificate.p12');
  });
});

describe('the rainbell command of the packages', () => {
  it.skipIf(process.platform === 'win32')('on macOS starts the app that contains it, also through a link', async () => {
    const folder = temporaryFolder();
    const contents = join(folder, 'Rain bell.app', 'Contents');
    const script = join(contents, 'Resources', 'bin', 'rainbell');
    await mkdir(join(contents, 'MacOS'), { recursive: true });
    await mkdir(join(contents, 'Resources', 'bin'), { recursive: true });
    await writeFile(join(contents, 'MacOS', 'Rainbell'), '#!/bin/sh\nprintf "%s|" "$0" "$@"\nexit 4\n');
    await chmod(join(contents, 'MacOS', 'Rainbell'), 0o755);
    await cp(join(projectFolder, 'electron/bin/rainbell-macos'), script);
    await symlink(script, join(folder, 'rainbell'));
    await symlink('rainbell', join(folder, 'bell'));
    const run = (file: string) => {
      try {
        return execFileSync(file, ['wait', '--monitor', 'a b'], { encoding: 'utf8' });
      } catch (error) {
        const { status, stdout } = error as { status: number; stdout: string };
        return { status, stdout };
      }
    };
    for (const file of [script, join(folder, 'rainbell'), join(folder, 'bell')]) {
      const stdout = `${contents}/MacOS/Rainbell|--cli|--|wait|--monitor|a b|`;
      expect(run(file)).toEqual({ status: 4, stdout });
    }
  });

  it('on Windows waits for the app in a batch file and passes its exit code on', async () => {
    const lines = (await readFile(join(projectFolder, 'electron/bin/rainbell.cmd'), 'utf8')).split('\r\n');
    expect(lines).toContain(String.raw`"%~dp0..\..\Rainbell.exe" --cli -- %*`);
    expect(lines.at(-2)).toBe('exit /b %ERRORLEVEL%');
    expect(lines.join('')).not.toContain('\n');
    expect(packaging({}).win?.extraResources).toEqual([{ from: 'electron/bin/rainbell.cmd', to: 'bin/rainbell.cmd' }]);
  });
});

describe('npm run package', () => {
  it('says in one sentence that a download failed, and ends with 1', async () => {
    const folder = temporaryFolder();
    const environment = { ELECTRON_MIRROR: 'http://127.0.0.1:9/', electron_config_cache: folder };
    const { code, words } = await runPackage(['--dir', '--output', join(folder, 'release')], environment);
    expect(code).toBe(1);
    expect(words).toMatch(/^error: the app could not be packaged: .*127\.0\.0\.1:9/m);
    expect(words).toContain('Without internet access');
    expect(words).not.toMatch(/^\s+at /m);
  });

  it.skipIf(process.platform === 'darwin')('says on which systems a dmg can be built', async () => {
    const { code, words } = await runPackage(['--mac']);
    expect({ code, words }).toEqual({ code: 1, words: expect.stringContaining('only be built on macOS') });
  });

  it('explains a wrong command line', async () => {
    const { code, words } = await runPackage(['--linux', '--win']);
    expect(code).toBe(2);
    expect(words).toContain("error: --linux, --mac, and --win can't be used together");
    expect(words).toContain('Usage: npm run package');
  });
});
