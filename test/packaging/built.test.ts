// When `npm run` takes the bundle instead of the sources.
import { expect, test } from 'vitest';
import { bundleName, outputs } from '#scripts/built.cjs';
import { threadEntries } from '#scripts/host-bundle.mjs';

test('waits for the bundles of the threads, which are built last', () => {
  expect(outputs).toEqual(expect.arrayContaining(threadEntries.map((entry) => `dist/host/${bundleName(entry)}.cjs`)));
});
