// Whether Chromium's sandbox can work on this Linux. Electron itself finds out in C++ and only crashes.
import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** @typedef {{ user?: number | undefined, proc?: string, path?: string | undefined }} System */

/**
 * Returns why the sandbox can't work, and the commands that change that, or undefined.
 * @param {string} program Electron's binary
 * @param {System} [system] another one than this, for tests
 * @returns {string | undefined}
 */
export function describeMissingSandbox(program, system = {}) {
  if (process.platform !== 'linux') return undefined;
  const { user = process.getuid?.(), proc = '/proc', path = process.env['PATH'] } = system;
  if (user === 0) {
    return [
      "Electron doesn't start with Chromium's sandbox as root. To open the app in Electron, do one of these:",
      '- Start Rainbell as another user.',
      withoutSandbox,
    ].join('\n');
  }
  if (isRootHelper(helperOf(program))) return undefined;
  const isRestricted = readSetting(proc, 'sys/kernel/apparmor_restrict_unprivileged_userns') === '1';
  // Other programs' profiles may allow `unshare` what Electron may not do, so Electron itself reports its profile.
  const isAllowed = isRestricted ? hasProfile(program) : canUnshare(path);
  return isAllowed ? undefined : describeWays(program, isRestricted);
}

/**
 * The lasting ways first.
 * @param {string} program
 * @param {boolean} isRestricted by AppArmor, as on Ubuntu since 24.04
 */
export function describeWays(program, isRestricted) {
  const binary = realpathSync(program);
  const helper = quote(helperOf(program));
  const profile = '/etc/apparmor.d/rainbell-electron';
  return [
    "Chromium's sandbox doesn't work here. To open the app in Electron, do one of these:",
    ...(isRestricted
      ? [
          '- Add an AppArmor profile for Electron, once:',
          `  printf '%s\\n' 'abi <abi/4.0>,' 'profile rainbell-electron "'${quote(binary)}'" flags=(unconfined) {' 'userns,' '}' | sudo tee ${profile}`,
          `  sudo apparmor_parser --replace ${profile}`,
        ]
      : []),
    "- Let Chromium's helper run as root, again after each installation of the packages:",
    `  sudo chown root:root ${helper} && sudo chmod 4755 ${helper}`,
    withoutSandbox,
  ].join('\n');
}

const withoutSandbox =
  '- Turn the sandbox off, so that a web page that exploits a bug in Chromium can do everything that you can:\n  npm start -- --no-sandbox';

/** @param {string} program */
function helperOf(program) {
  return join(dirname(realpathSync(program)), 'chrome-sandbox');
}

/** @param {string} helper */
function isRootHelper(helper) {
  const found = statSync(helper, { throwIfNoEntry: false });
  return found?.uid === 0 && (found.mode & 0o4001) === 0o4001;
}

/** @param {string} proc @param {string} name */
function readSetting(proc, name) {
  try {
    return readFileSync(join(proc, name), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** @param {string} program */
function hasProfile(program) {
  const { stdout } = spawnSync(program, ['-p', "fs.readFileSync('/proc/self/attr/current', 'utf8')"], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    encoding: 'utf8',
  });
  const label = stdout?.trim() ?? '';
  return label !== '' && label !== 'unconfined';
}

/** Without this program of util-linux, Electron must try. @param {string | undefined} path */
function canUnshare(path) {
  const { status, error } = spawnSync('unshare', ['--user', '--map-root-user', 'true'], {
    env: { ...process.env, PATH: path },
    stdio: 'ignore',
  });
  return error !== undefined || status === 0;
}

/** @param {string} path */
function quote(path) {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
