// What is built: the screens, Electron's preload, Electron's main process and what scripts/run.cjs starts, each in a Vite
// environment of its own, by `vite build --app`. Everything else runs as TypeScript on Node 24. npm packages go into the bundles, so
// that the packaged app ships no node_modules except data; the preload is one file, because a sandboxed preload cannot load a second one.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';
import { bundleName } from './scripts/built.cjs';
import { hostBundle, hostEntries, threadEntries } from './scripts/host-bundle.mjs';
import { leanContract } from './scripts/lean-contract.mjs';
import { screenPlugins } from './scripts/screen-plugins.mjs';

// Vite makes a development build where this says anything else, as it does below a test runner. Such a build calls React's
// development runtime, which nothing escapes (scripts/screen-plugins.mjs).
process.env['NODE_ENV'] = 'production';

const project = fileURLToPath(new URL('.', import.meta.url));
const at = (path: string): string => `${project}${path}`;

/** Entries of Electron's main process and of its workers; `electron/start-app.ts` names the built files. */
const mainEntries = {
  main: 'electron/main.ts',
  'service-process': 'electron/service-process.ts',
  'receiver-worker': 'core/receiver/server/receiver-worker.ts',
  'places-worker': 'core/places/places-worker.ts',
  'json-worker': 'core/http/json-worker.ts',
  'service-places-worker': 'service/places/places-worker.ts',
};

/** The bundled packages' licenses, which have to come with their code. */
const licensesFile = 'third-party-licenses.md';

/** Smaller, but with the names that an error's stack shows. */
const readableMinify = { compress: true, mangle: false, codegen: { removeWhitespace: true } };

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
    license: { fileName: licensesFile },
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
      input: { preload: at('electron/preload/preload.ts') },
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: '[name].cjs' },
    },
  },
};

const main: EnvironmentOptions = {
  consumer: 'server',
  resolve: { noExternal: true, conditions: ['node'], mainFields: ['module', 'main'] },
  build: {
    outDir: at('dist/electron'),
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'node24',
    sourcemap: true,
    license: { fileName: licensesFile },
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(mainEntries).map(([name, path]) => [name, at(path)])),
      external: ['electron', 'pg-native'],
      output: {
        format: 'esm',
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        minify: readableMinify,
      },
    },
  },
};

/** The npm package of the command line; only `npm pack -w command-line` builds it. */
const commandLine: EnvironmentOptions = {
  consumer: 'server',
  resolve: { noExternal: true, conditions: ['node'], mainFields: ['module', 'main'] },
  build: {
    outDir: at('dist/command-line'),
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'node24',
    license: { fileName: licensesFile },
    rolldownOptions: {
      input: {
        main: at('command-line/package-main.ts'),
        'receiver-worker': at('core/receiver/server/receiver-worker.ts'),
        'service-places-worker': at('service/places/places-worker.ts'),
        'json-worker': at('core/http/json-worker.ts'),
      },
      external: ['pg-native'],
      output: {
        format: 'esm',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        minify: readableMinify,
      },
    },
  },
};

/** What `npm run service`, `npm run headless`, and `rainbell` run (scripts/run.cjs). */
const host = (entries: string[]): EnvironmentOptions => ({
  consumer: 'server',
  resolve: { noExternal: true, conditions: ['node'], mainFields: ['module', 'main'] },
  build: {
    outDir: at('dist/host'),
    emptyOutDir: entries === hostEntries,
    copyPublicDir: false,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(entries.map((entry) => [bundleName(entry), at(entry)])),
      // An optional part of pg that is never installed, and what Fastify requires only if it compiles schemas or is tested: 0.4 MB of text
      // that would be read at each start.
      external: ['pg-native', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'],
      // For an `import`, Node reads all exports of its own modules, which loads fetch, WebSocket, and Web Crypto: 40 ms.
      output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' },
    },
  },
});

/** Puts the data of the place search beside its built worker. */
const copyPlaceData: Plugin = {
  name: 'copy-place-data',
  applyToEnvironment: ({ name }) => name === 'main',
  generateBundle() {
    const fileName = 'place-data.tsv.br';
    this.emitFile({ type: 'asset', fileName, source: readFileSync(at(`core/places/${fileName}`)) });
  },
};

export default defineConfig({
  root: at('renderer'),
  logLevel: 'warn',
  plugins: [screenPlugins(), copyPlaceData, leanContract, hostBundle(at('dist/host'))],
  // The viewers' worker shares no chunk with the page; the Content-Security-Policy allows it as a file of our own.
  worker: { format: 'es' },
  // Names of classes are in scripts and styles of the first screen.
  css: { modules: { generateScopedName: '_[local]_[hash:base64:3]' } },
  environments: {
    renderer,
    preload,
    main,
    host: host(hostEntries),
    // A file of its own: in chunks that it shared, it would load zod.
    hostThread: host(threadEntries),
    commandLine,
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['renderer', 'main', 'preload', 'host', 'hostThread']) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
});
