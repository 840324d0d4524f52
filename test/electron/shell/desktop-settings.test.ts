// The desktop settings on the system: the login item, theme, and spell checker.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Session } from 'electron';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Settings } from '#contract/app-rpc/settings.ts';
import { createDesktopIntegration } from '#electron/shell/desktop-settings.ts';
import { createLoginItem } from '#electron/shell/login-item.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { electron } from '#test/double/electron.ts';
import { pretendPlatform, recordLog, setProperty } from '#test/electron/without-chromium.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

const { app } = electron;
beforeEach(() => setProperty(app, 'isPackaged', true));

/** Where an AppImage with this program is mounted. */
const mount = { APPDIR: dirname(process.execPath) };

describe('the login item', () => {
  const folderWithFile = () => {
    const folder = temporaryFolder();
    return { env: { XDG_CONFIG_HOME: folder }, file: join(folder, 'autostart', 'rainbell.desktop') };
  };

  it('on Linux is a desktop file that only the user can read', () => {
    const { env, file } = folderWithFile();
    const item = createLoginItem({ platform: 'linux', env: { ...env, ...mount, APPIMAGE: '/opt/Rainbell.AppImage' } });
    item.set({ opensAtLogin: true, startsHidden: true });
    expect(readFileSync(file, 'utf8').split('\n')).toEqual([
      '[Desktop Entry]',
      'Type=Application',
      'Name=Rainbell',
      'Exec="/opt/Rainbell.AppImage" "--hidden"',
      'Terminal=false',
      '',
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    item.set({ opensAtLogin: true, startsHidden: false });
    expect(readFileSync(file, 'utf8')).toContain('Exec="/opt/Rainbell.AppImage"\n');
    // The variables of another app's AppImage, whose terminal started this program.
    const foreign = { APPIMAGE: '/opt/Editor.AppImage', APPDIR: '/tmp/.mount_Editor' };
    createLoginItem({ platform: 'linux', env: { ...env, ...foreign } }).set({
      opensAtLogin: true,
      startsHidden: false,
    });
    expect(readFileSync(file, 'utf8')).toContain(`Exec="${process.execPath}"\n`);
    item.set({ opensAtLogin: false, startsHidden: true });
    item.set({ opensAtLogin: false, startsHidden: true });
    expect(existsSync(file)).toBe(false);
  });

  // The specification: `%` is doubled; ", `, $, and \ get a backslash inside quotes; then each backslash is doubled.
  it.each([
    ['/opt/100% $HOME', String.raw`"/opt/100%% \\$HOME"`],
    ['/opt/`"x"`', '"/opt/\\\\`\\\\"x\\\\"\\\\`"'],
    ['/opt/a\\b', String.raw`"/opt/a\\\\b"`],
  ])('on Linux quotes %s', (program, quoted) => {
    const { env, file } = folderWithFile();
    createLoginItem({ platform: 'linux', env: { ...env, ...mount, APPIMAGE: program } }).set({
      opensAtLogin: true,
      startsHidden: false,
    });
    expect(readFileSync(file, 'utf8')).toContain(`\nExec=${quoted}\n`);
  });

  it('on Linux is updated at the start, unless the user removed it', () => {
    const { env, file } = folderWithFile();
    const item = createLoginItem({ platform: 'linux', env });
    const choice = { opensAtLogin: true, startsHidden: false };
    item.refresh(choice);
    expect(existsSync(file)).toBe(false);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'old');
    item.refresh({ ...choice, opensAtLogin: false });
    createLoginItem({ platform: 'darwin', env }).refresh(choice);
    expect(readFileSync(file, 'utf8')).toBe('old');
    item.refresh(choice);
    expect(readFileSync(file, 'utf8')).toContain('[Desktop Entry]');
  });

  it.each(['darwin', 'win32'] as const)('on %s is in the system’s list', (platform) => {
    const set = vi.spyOn(app, 'setLoginItemSettings').mockImplementation(() => {});
    const { env, file } = folderWithFile();
    const item = createLoginItem({ platform, env });
    item.set({ opensAtLogin: true, startsHidden: true });
    item.set({ opensAtLogin: false, startsHidden: false });
    expect(set.mock.calls).toEqual([[{ openAtLogin: true, args: ['--hidden'] }], [{ openAtLogin: false, args: [] }]]);
    expect([item.isSupported, existsSync(file)]).toEqual([true, false]);
    set.mockRestore();
  });
});

describe('the desktop settings', () => {
  const desktop = {
    opensAtLogin: false,
    startsHidden: false,
    checksSpelling: null as boolean | null,
    onLastWindowClosed: 'stay',
  };
  type Changes = { desktop?: Partial<typeof desktop>; theme?: string };

  function start(platform: NodeJS.Platform = 'linux') {
    pretendPlatform(platform);
    const config = temporaryFolder();
    vi.stubEnv('XDG_CONFIG_HOME', config);
    const spelling: boolean[] = [];
    const { log, entries } = recordLog();
    const integration = createDesktopIntegration({
      screensSession: {
        setSpellCheckerEnabled: (isOn: boolean) => void spelling.push(isOn),
        setSpellCheckerLanguages: () => {},
      } as unknown as Session,
      log,
    });
    onTestFinished(() => void vi.unstubAllEnvs());
    const apply = ({ desktop: changes, ...others }: Changes = {}) =>
      integration.apply({
        theme: 'system',
        ...others,
        desktop: { ...desktop, ...changes },
      } as unknown as Settings);
    const file = join(config, 'autostart', 'rainbell.desktop');
    return { integration, apply, spelling, entries, config, file };
  }

  it('name the platform, and can’t open at login on an unknown one, or from a checkout', () => {
    const stateOn = (platform: NodeJS.Platform) => start(platform).integration.state();
    expect(stateOn('darwin')).toEqual({ platform: 'mac', canOpenAtLogin: true, loginItemProblem: null });
    expect(stateOn('freebsd')).toMatchObject({ platform: 'linux', canOpenAtLogin: false });
    setProperty(app, 'isPackaged', false);
    expect(stateOn('linux')).toMatchObject({ canOpenAtLogin: false });
  });

  it('set the theme, and the spell checker, which only a Mac has on by default', () => {
    const { apply, spelling } = start();
    apply({ theme: 'dark' });
    expect(electron.nativeTheme.themeSource).toBe('dark');
    apply({ theme: 'system', desktop: { checksSpelling: true } });
    apply({ desktop: { checksSpelling: false } });
    expect([electron.nativeTheme.themeSource, spelling]).toEqual(['system', [false, true, false]]);
    const mac = start('darwin');
    mac.apply();
    mac.apply({ desktop: { checksSpelling: false } });
    expect(mac.spelling).toEqual([true, false]);
  });

  it('write the login item only when it changes, and never at the start', () => {
    const { apply, file } = start();
    const opens = { opensAtLogin: true };
    apply({ desktop: opens });
    expect(existsSync(file)).toBe(false);
    apply({ desktop: { ...opens, startsHidden: true } });
    expect(readFileSync(file, 'utf8')).toContain('"--hidden"');
    rmSync(file);
    apply({ desktop: { ...opens, startsHidden: true } });
    expect(existsSync(file)).toBe(false);
    apply({ desktop: opens });
    expect(existsSync(file)).toBe(true);
    apply();
    expect(existsSync(file)).toBe(false);
  });

  it('report a login item that could not be written until it can be', () => {
    const { integration, apply, entries, config, file } = start();
    apply();
    writeFileSync(join(config, 'autostart'), 'a file, not a folder');
    apply({ desktop: { opensAtLogin: true } });
    const problem = () => integration.state().loginItemProblem;
    expect(problem()).toMatch(/^Couldn’t change the login item \((EEXIST|ENOTDIR)\)/);
    expect(entries).toEqual([expect.objectContaining({ level: 40, msg: 'the login item could not be written' })]);
    rmSync(join(config, 'autostart'));
    apply({ desktop: { opensAtLogin: true, startsHidden: true } });
    expect([problem(), existsSync(file)]).toEqual([null, true]);
  });

  it('start hidden with the flag, or where a Mac opened the app at login', () => {
    const { integration, apply } = start('darwin');
    const settings = vi
      .spyOn(app, 'getLoginItemSettings')
      .mockReturnValue({ openAtLogin: true, wasOpenedAtLogin: true });
    expect([integration.startsHidden(true), integration.startsHidden(false)]).toEqual([true, false]);
    apply({ desktop: { startsHidden: true } });
    expect(integration.startsHidden(false)).toBe(true);
    settings.mockReturnValue({ openAtLogin: true, wasOpenedAtLogin: false });
    expect([integration.startsHidden(true), integration.startsHidden(false)]).toEqual([true, false]);
    settings.mockRestore();
  });
});
