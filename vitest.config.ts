// The tests: sentences about behaviour over real HTTP, real SQLite files and a real Chromium. Two files at a time, each in
// a process of its own, so that a native crash or a leaked listener stays with its file.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// The hundreds of services and apps that tests start as processes need not compile the same files again each time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/rainbell-compiled', import.meta.url));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    // Hooks start services and hosts with their Chromium, beside other tests.
    hookTimeout: 180_000,
    // A poll looks often and ends at once; its limit is for slow machines only.
    expect: { poll: { timeout: 20_000 } },
    teardownTimeout: 20_000,
    reporters: ['default'],
    restoreMocks: true,
  },
});
