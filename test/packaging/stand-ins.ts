// What electron-builder would download and cannot have here: Electron's distribution, fpm, and the AppImage tools.
import { access, chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { projectFolder } from '#scripts/tool.mjs';

/** The position of Electron's fuses in its binary: a mark, the version, their number, and one letter each, here all "on". */
const fuseMark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const fuseCount = 9;

/** The first bytes of the AppImage; the real ones mount the file system behind them. */
export const placeholderRuntime = Buffer.from('stand-in for the AppImage runtime\n'.padEnd(4096, '.'));

/** Makes the stand-ins in a folder and returns the environment that names them to electron-builder. */
export async function makeStandIns(folder: string): Promise<Record<string, string>> {
  const electron = join(folder, 'electron');
  const tools = join(folder, 'appimage-tools');
  const fpm = join(folder, 'fpm');
  await makeElectron(electron);
  await mkdir(join(tools, 'runtimes'), { recursive: true });
  await mkdir(join(tools, 'lib', 'x64'), { recursive: true });
  await writeFile(join(tools, 'runtimes', 'runtime-x64'), placeholderRuntime);
  await writeFile(join(tools, 'lib', 'x64', 'libexample.so'), 'library');
  // The least compression: the test looks at contents, not at sizes.
  await writeProgram(join(tools, 'mksquashfs'), `exec "${await find('mksquashfs')}" "$@" -Xcompression-level 1`);
  await symlink(await find('desktop-file-validate'), join(tools, 'desktop-file-validate'));
  await writeProgram(fpm, `exec "${process.execPath}" "${join(import.meta.dirname, 'fpm.mjs')}" "$@"`);
  return { ELECTRON_OVERRIDE_DIST_PATH: electron, APPIMAGE_TOOLS_PATH: tools, CUSTOM_FPM_PATH: fpm };
}

async function writeProgram(file: string, script: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
}

async function makeElectron(folder: string): Promise<void> {
  await mkdir(join(folder, 'resources'), { recursive: true });
  const wire = [
    Buffer.alloc(512, 1),
    Buffer.from(fuseMark),
    Buffer.from([1, fuseCount]),
    Buffer.from('1'.repeat(fuseCount)),
  ];
  await writeFile(join(folder, 'electron'), Buffer.concat([...wire, Buffer.alloc(512, 1)]), { mode: 0o755 });
  const { version } = createRequire(join(projectFolder, 'package.json'))('electron/package.json') as {
    version: string;
  };
  await writeFile(join(folder, 'version'), version);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox']) await writeFile(join(folder, name), name);
}

/** The path of a program; packages of Debian that .ci/run installs. */
async function find(program: string): Promise<string> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, program);
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  throw new Error(`"${program}" is missing: apt-get install squashfs-tools desktop-file-utils`);
}
