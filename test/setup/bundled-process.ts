// A test's own process as one file, for tests that start it dozens of times: loading hundreds of modules takes most of a start's CPU time.
import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { projectFolder } from '#scripts/tool.mjs';

type BundledProcess = { file: string; remove: () => Promise<void> };

/** Bundles an entry whose modules read none of our files. The caller removes it. */
export async function bundleProcess(entry: string): Promise<BundledProcess> {
  const outDir = await mkdtemp(join(projectFolder, 'node_modules', '.rainbell-process-'));
  await build({
    configFile: false,
    root: projectFolder,
    logLevel: 'silent',
    ssr: { noExternal: true, external: ['pg-native'] },
    build: { ssr: entry, outDir, target: 'node24', minify: false, copyPublicDir: false },
  });
  return {
    file: join(outDir, basename(entry).replace(/\.ts$/, '.js')),
    remove: () => rm(outDir, { recursive: true, force: true, maxRetries: 5 }),
  };
}
