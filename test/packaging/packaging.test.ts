// The package, made by electron-builder itself around a fake Electron: what is in its archive, and that the fuses are
// burnt into the binary. (The real binary cannot be had everywhere; docs/decisions.md says what this does not prove.)
import { readFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { Arch, build, Platform } from 'electron-builder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuses, packaging } from '#scripts/packaging.mjs';
import { projectFolder } from '#scripts/tool.mjs';
import { importsOf } from '#test/architecture/import-rules.ts';

/** Where Electron's fuses stand in its binary: a mark, the version, their number, and one letter each, here all "on". */
const fuseMark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const fuseCount = 9;

async function makeFakeElectron(folder: string): Promise<void> {
  await mkdir(join(folder, 'resources'), { recursive: true });
  const wire = [
    Buffer.alloc(512, 1),
    Buffer.from(fuseMark),
    Buffer.from([1, fuseCount]),
    Buffer.from('1'.repeat(fuseCount)),
  ];
  await writeFile(join(folder, 'electron'), Buffer.concat([...wire, Buffer.alloc(512, 1)]), { mode: 0o755 });
  const { version } = JSON.parse(await readFile(join(projectFolder, 'node_modules/electron/package.json'), 'utf8')) as {
    version: string;
  };
  await writeFile(join(folder, 'version'), version);
  for (const license of ['LICENSE', 'LICENSES.chromium.html']) await writeFile(join(folder, license), 'license');
}

describe.runIf(process.platform === 'linux')('the package', () => {
  let output = '';
  let files: string[] = [];
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rainbell-package-'));
    afterAll(() => rm(folder, { recursive: true, force: true }));
    const electronDist = join(folder, 'electron');
    output = join(folder, 'release');
    await makeFakeElectron(electronDist);
    await build({
      projectDir: projectFolder,
      targets: Platform.LINUX.createTarget('dir', Arch.x64),
      config: { ...packaging, electronDist, directories: { ...packaging.directories, output } },
    });
    files = listPackage(archive(), { isPack: false });
  }, 180_000);

  const archive = () => join(output, 'linux-unpacked', 'resources', 'app.asar');
  const textOf = (file: string) => extractFile(archive(), file.slice(1)).toString('utf8');

  it('holds the main process, its processes and threads, the preload, the screens and the icons', () => {
    for (const name of ['main.js', 'service-process.js', 'receiver-worker.js', 'places-worker.js', 'preload.cjs']) {
      expect(files).toContain(`/dist/electron/${name}`);
    }
    expect(files).toContain('/dist/renderer/index.html');
    expect(files).toContain('/electron/icons/tray.png');
    expect(JSON.parse(textOf('/package.json'))).toMatchObject({ main: 'dist/electron/main.js' });
  });

  it('holds every npm package that the main process asks for', () => {
    const scripts = files.filter((file) => /^\/dist\/electron\/.*\.js$/.test(file));
    const packages = scripts
      .flatMap((file) => importsOf(file, textOf(file)).imports)
      .map(({ source }) => source)
      .filter((source) => !/^[./#]/.test(source) && !isBuiltin(source) && source !== 'electron')
      .map((source) =>
        source
          .split('/')
          .slice(0, source.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    expect(packages.length).toBeGreaterThan(5);
    const missing = [...new Set(packages)].filter((name) => !files.includes(`/node_modules/${name}/package.json`));
    expect(missing).toEqual([]);
    // These two the service finds by their files.
    expect(files).toContain('/node_modules/@yr/weather-symbols/package.json');
    expect(files).toContain('/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
  });

  it('holds no sources, tests, maps, or packages that are in the bundle of the screens', () => {
    const foreign = files.filter(
      (file) => /^\/(core|service|contract|renderer|headless|test|scripts|docs)\//.test(file) || file.endsWith('.map'),
    );
    expect(foreign).toEqual([]);
    expect(
      files.filter((file) => /^\/node_modules\/(@mantine|react|vite|playwright|electron)(\/|$)/.test(file)),
    ).toEqual([]);
  });

  it('has its fuses burnt in', async () => {
    const wire = await getCurrentFuseWire(join(output, 'linux-unpacked', 'rainbell'));
    const stateOf = (isOn: boolean) => (isOn ? FuseState.ENABLE : FuseState.DISABLE);
    expect({
      runAsNode: wire[FuseV1Options.RunAsNode],
      enableCookieEncryption: wire[FuseV1Options.EnableCookieEncryption],
      enableNodeOptionsEnvironmentVariable: wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable],
      enableNodeCliInspectArguments: wire[FuseV1Options.EnableNodeCliInspectArguments],
      enableEmbeddedAsarIntegrityValidation: wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation],
      onlyLoadAppFromAsar: wire[FuseV1Options.OnlyLoadAppFromAsar],
      loadBrowserProcessSpecificV8Snapshot: wire[FuseV1Options.LoadBrowserProcessSpecificV8Snapshot],
      grantFileProtocolExtraPrivileges: wire[FuseV1Options.GrantFileProtocolExtraPrivileges],
    }).toEqual(Object.fromEntries(Object.entries(fuses).map(([name, isOn]) => [name, stateOf(isOn)])));
  });
});
