// The tests: sentences about behaviour over real HTTP, real SQLite files and a real Chromium.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The hundreds of services and apps that tests start as processes need not compile the same files again each time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/rainbell-compiled', import.meta.url));

/** Folders whose files run one after another in the same process: they start everything they test within it, and end it. */
const together = [
  'architecture',
  'contract',
  'core',
  'fuzz',
  'oauth',
  'renderer',
  'service',
  'storage',
  'weather',
  'website',
];
const files = together.map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 60_000,
    // Hooks start services and hosts with their Chromium, beside other tests.
    hookTimeout: 180_000,
    // A poll looks often and ends at once; its limit is for slow machines only.
    expect: { poll: { timeout: 20_000 } },
    teardownTimeout: 20_000,
    globalSetup: ['test/setup/run-databases.ts'],
    reporters: ['default'],
    restoreMocks: true,
    projects: [
      { extends: true, test: { name: 'together', include: files, isolate: false } },
      // A process for each file, so that a native crash or a changed environment stays with its file.
      { extends: true, test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: files } },
    ],
  },
});
