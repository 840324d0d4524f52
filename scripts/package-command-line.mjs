// `npm pack -w command-line` runs it before it packs the npm package of the command line, which runs in any folder with Node 24 and needs no
// other package. Node strips no types below node_modules, so its code is a bundle. `--clean`: afterward.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createBuilder } from 'vite';
import { requireNode } from './node-version.mjs';
import { packageData } from './packaging.mjs';
import { projectFolder } from './tool.mjs';

requireNode();

const folder = join(projectFolder, 'command-line');
for (const made of ['dist', 'node_modules', 'LICENSE']) rmSync(join(folder, made), { recursive: true, force: true });

if (!process.argv.includes('--clean')) {
  const builder = await createBuilder({ configFile: join(projectFolder, 'vite.config.ts') });
  const environment = builder.environments['commandLine'];
  if (!environment) throw new Error('vite.config.ts has no environment named commandLine.');
  await builder.build(environment);
  cpSync(join(projectFolder, 'dist', 'command-line'), join(folder, 'dist'), { recursive: true });
  cpSync(join(projectFolder, 'LICENSE'), join(folder, 'LICENSE'));
  // Data that the bundles read from the packages' folders; npm packs them as bundled dependencies.
  for (const { folder: from, isPacked } of packageData) {
    cpSync(join(projectFolder, from), join(folder, from), {
      recursive: true,
      filter: (source) => isPacked(source.slice(join(projectFolder, from).length + 1).replaceAll('\\', '/')),
    });
  }
}
