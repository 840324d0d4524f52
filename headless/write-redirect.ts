import { join } from 'node:path';
import { writePrivateFile } from '@rainbell/shared/node';

/** Writes a page that leads to the address and that only this user can read, and returns its path. */
export function writeRedirect(dataFolder: string, url: string): string {
  const file = join(dataFolder, 'open.html');
  const text = JSON.stringify(url).replaceAll('<', String.raw`\u003c`);
  writePrivateFile(file, `<!doctype html><meta charset="utf-8"><script>location.replace(${text})</script>\n`);
  return file;
}
