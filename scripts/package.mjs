// `npm run package`: builds the app and packages it into release/, with the files of a release. docs/packaging.md is the guide.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freshBuild } from './fresh-build.mjs';
import { requireNode } from './node-version.mjs';
import { packaging, removeEmptyKeys } from './packaging.mjs';
import { writeReleaseFiles } from './release-files.mjs';
import { projectFolder } from './tool.mjs';

const usage = `Usage: npm run package [-- --linux | --mac | --win] [--x64 | --arm64] [--dir] [--output DIR]

Package the app for a system (default: this one): as AppImage, deb, and rpm for Linux,
as dmg for macOS, or as an NSIS installer for Windows; with checksums and a list of contents

Options:
  --linux, --mac, --win  system to package for (default: this one); a dmg needs macOS
  --x64, --arm64         processor (default: both)
  --dir                  leave the app unpacked in a folder, for this processor
  --output DIR           folder for the results (default: release)
  --help                 print this help

Examples:
  npm run package -- --linux --x64

Exit codes:
  0  packaged
  1  failed
  2  invalid arguments`;

/** @type {Readonly<Record<string, import('./packaging.mjs').System>>} */
const systems = { linux: 'linux', darwin: 'mac', win32: 'win' };

requireNode();
/** @param {unknown} error electron-builder's are long, with the stack of its HTTP client. */
const explain = (error) => {
  const [reason] = String(error instanceof Error ? (error.cause ?? error.message) : error).split('\n');
  console.error(
    `error: the app could not be packaged: ${reason}\n` +
      'electron-builder downloads Electron and its tools from github.com. If that failed, connect to the internet, or use local ' +
      'copies as described in docs/packaging.md under "Without internet access".',
  );
  return 1;
};
// electron-builder's exit hook replaces process.exitCode with 0.
process.exit(await run(process.argv.slice(2)).catch(explain));

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
async function run(args) {
  const options = readOptions(args);
  if ('problem' in options) {
    console.error(`error: ${options.problem}\n\n${usage}`);
    return 2;
  }
  if (options.help) {
    console.log(usage);
    return 0;
  }
  const { system, arches, dir, output } = options;
  if (system === 'mac' && process.platform !== 'darwin') {
    console.error(
      'error: a dmg can only be built on macOS. Run this command there, or use the "Desktop" workflow on GitHub.',
    );
    return 1;
  }
  const problem = await freshBuild();
  if (problem !== undefined) {
    console.error(problem);
    return 1;
  }
  removeEmptyKeys(process.env);
  // Loaded only now: it takes a second.
  const { Arch, build, Platform } = await import('electron-builder');
  const platforms = { linux: Platform.LINUX, mac: Platform.MAC, win: Platform.WINDOWS };
  const config = packaging(process.env);
  const results = await build({
    projectDir: projectFolder,
    targets: platforms[system].createTarget(dir ? 'dir' : null, ...arches.map((arch) => Arch[arch])),
    config: output === undefined ? config : { ...config, directories: { ...config.directories, output } },
  });
  const more = dir ? [] : writeReleaseFiles(resolve(projectFolder, output ?? 'release'));
  for (const file of [...results, ...more]) console.log(file);
  return 0;
}

/** @param {readonly string[]} args */
function readOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        linux: { type: 'boolean' },
        mac: { type: 'boolean' },
        win: { type: 'boolean' },
        x64: { type: 'boolean' },
        arm64: { type: 'boolean' },
        dir: { type: 'boolean' },
        output: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  const named = /** @type {const} */ (['linux', 'mac', 'win']).filter((name) => values[name]);
  if (named.length > 1) return { problem: "--linux, --mac, and --win can't be used together" };
  const system = named[0] ?? systems[process.platform];
  if (system === undefined)
    return { problem: `there is no package for ${process.platform}; choose --linux, --mac, or --win` };
  const own = process.arch === 'arm64' ? 'arm64' : 'x64';
  const both = /** @type {const} */ (['x64', 'arm64']);
  const wanted = both.filter((arch) => values[arch]);
  const arches = wanted.length > 0 ? wanted : both.filter((arch) => !values.dir || arch === own);
  return { system, arches, dir: values.dir ?? false, output: values.output, help: values.help ?? false };
}
