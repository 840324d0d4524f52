// How the app is packaged: which files go into the archive, and which of Electron's fuses are set. `npm run package` uses
// it, and a test holds it against a fake Electron, since the real one cannot be had everywhere.

/**
 * Electron's switches that are burnt into the binary: no way to run it as plain Node, to pass it Node's options or a
 * debugger, or to exchange the archive.
 * @satisfies {import('electron-builder').Configuration['electronFuses']}
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

/** Packages that the screens' bundle already holds; the main process never asks for them. */
const bundled = [
  '@fontsource-variable/jetbrains-mono',
  '@mantine',
  '@tabler',
  '@tanstack',
  'd3-*',
  'react',
  'react-*',
  'scheduler',
  'zustand',
];

/** @satisfies {import('electron-builder').Configuration} */
export const packaging = {
  appId: 'org.rainbell.app',
  productName: 'Rainbell',
  directories: { output: 'release', buildResources: 'electron/icons' },
  files: [
    'dist/electron/**',
    'dist/renderer/**',
    'electron/icons/tray*.png',
    'package.json',
    '!**/*.map',
    ...bundled.map((name) => `!node_modules/${name}/**`),
  ],
  asar: true,
  electronFuses: fuses,
  protocols: [{ name: 'Rainbell', schemes: ['rainbell'] }],
  // No native module is among our packages, so there is nothing to rebuild.
  npmRebuild: false,
  // There is no signed channel yet, and without one there are no updates by themselves.
  publish: null,
  linux: { target: ['AppImage', 'deb'], category: 'Development', icon: 'electron/icons/icon.png' },
  mac: { target: ['dmg'], category: 'public.app-category.developer-tools', icon: 'electron/icons/icon.png' },
  win: { target: ['nsis'], icon: 'electron/icons/icon.png' },
};
