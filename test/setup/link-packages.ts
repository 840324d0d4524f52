// Packages for a copy of the project.
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The npm packages are the project's, and its own packages the copy's. */
export function linkPackages(root: string, folder: string): void {
  const [there, here] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(here, '@rainbell'), { recursive: true });
  const names = readdirSync(there).filter((name) => name !== '@rainbell');
  for (const name of names) symlinkSync(join(there, name), join(here, name), 'junction');
  const own = existsSync(join(there, '@rainbell')) ? readdirSync(join(there, '@rainbell')) : [];
  for (const name of own) symlinkSync(join(folder, name), join(here, '@rainbell', name), 'junction');
}
