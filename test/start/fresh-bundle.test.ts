// A bundle runs in place of its sources only while none of them changed (scripts/fresh-bundle.mjs).
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { freshBundle, manifestOf } from '#scripts/fresh-bundle.mjs';

/** A project with one source, bundled into itself. */
function bundledProject() {
  const project = `${mkdtempSync(join(tmpdir(), 'rainbell-bundle-'))}${sep}`;
  onTestFinished(() => rmSync(project, { recursive: true }));
  const source = join(project, 'main.ts');
  writeFileSync(source, 'one');
  const { mtimeMs, size } = statSync(source);
  const manifest = manifestOf(new Map([['main.ts', [mtimeMs, size]]]));
  writeFileSync(join(project, 'main.json'), manifest);
  const fresh = (entry = 'main.ts') => freshBundle({ project, bundles: project, entry: join(project, entry) });
  return { project, source, fresh };
}

it('runs the bundle while its sources are as they were', () => {
  const { project, fresh } = bundledProject();
  expect(fresh()).toBe(join(project, 'main.cjs'));
});

it('runs the sources when one was changed, touched, set back in time or removed', () => {
  const { source, fresh } = bundledProject();
  const { atimeMs, mtimeMs } = statSync(source);
  utimesSync(source, atimeMs / 1000, mtimeMs / 1000 - 60);
  expect(fresh()).toBeUndefined();
  writeFileSync(source, 'two more');
  utimesSync(source, atimeMs / 1000, mtimeMs / 1000);
  expect(fresh()).toBeUndefined();
  rmSync(source);
  expect(fresh()).toBeUndefined();
});

it('runs the sources if that entry has no bundle, no manifest or a broken one', () => {
  const { project, fresh } = bundledProject();
  expect(fresh('other.ts')).toBeUndefined();
  writeFileSync(join(project, 'main.json'), '{');
  expect(fresh()).toBeUndefined();
  rmSync(join(project, 'main.json'));
  expect(fresh()).toBeUndefined();
});
