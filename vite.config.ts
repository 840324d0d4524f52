// What is built: the screens, Electron's preload, Electron's main process and what scripts/quick-start.mjs starts, each in a Vite
// environment of its own, by `vite build --app`. Everything else runs as TypeScript on Node 24. npm packages stay outside of
// Electron's main bundle; the preload is one file, since a sandboxed preload cannot load a second one.
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions } from 'vite';
import { hostBundle, hostEntries } from './scripts/host-bundle.mjs';

const project = fileURLToPath(new URL('.', import.meta.url));
const at = (path: string): string => `${project}${path}`;

/** Entries of Electron's main process and of its workers; `electron/start-app.ts` names the built files. */
const mainEntries = {
  main: 'electron/main.ts',
  'service-process': 'electron/service-process.ts',
  'receiver-worker': 'core/receiver/receiver-worker.ts',
  'places-worker': 'core/places/places-worker.ts',
  'service-places-worker': 'service/places/places-worker.ts',
};

const renderer: EnvironmentOptions = {
  consumer: 'client',
  build: {
    outDir: at('dist/renderer'),
    emptyOutDir: true,
    target: 'chrome140',
    // Fonts and pictures stay files: the Content-Security-Policy allows no data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: at('renderer/index.html'),
      // What the first screen needs in one file, although other screens share parts of it: smaller, and one request.
      output: { codeSplitting: { groups: [{ name: 'first-screen', tags: ['$initial'] }] } },
    },
  },
};

const preload: EnvironmentOptions = {
  consumer: 'server',
  build: {
    outDir: at('dist/electron'),
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'chrome140',
    minify: false,
    rolldownOptions: {
      input: at('electron/preload/preload.ts'),
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: 'preload.cjs' },
    },
  },
};

const main: EnvironmentOptions = {
  consumer: 'server',
  resolve: { external: true, conditions: ['node'] },
  build: {
    outDir: at('dist/electron'),
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'node24',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(mainEntries).map(([name, path]) => [name, at(path)])),
      external: (id) => !/^[./#\0]/.test(id) && !isAbsolute(id),
      output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
};

const host: EnvironmentOptions = {
  consumer: 'server',
  resolve: { noExternal: true, conditions: ['node'], mainFields: ['module', 'main'] },
  build: {
    outDir: at('dist/host'),
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'node24',
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(hostEntries).map(([name, path]) => [name, at(path)])),
      // An optional part of pg that is never installed.
      external: ['pg-native'],
      output: {
        format: 'esm',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // Node reads and keeps a text of plain ASCII with half the work.
        charset: 'ascii',
        // Smaller, but with the names that an error's stack shows.
        minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
      },
    },
  },
};

export default defineConfig({
  root: at('renderer'),
  logLevel: 'warn',
  plugins: [react(), hostBundle(at('dist/host'))],
  environments: { renderer, preload, main, host },
  builder: {
    async buildApp(builder) {
      for (const name of ['renderer', 'main', 'preload', 'host']) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
});
