// The tests: sentences about behaviour over real HTTP, real SQLite files and a real Chromium. Two files at a time, each in
// a process of its own, so that a native crash or a leaked listener stays with its file.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    reporters: ['default'],
    restoreMocks: true,
  },
});
