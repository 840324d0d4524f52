// An app with nothing in it, built by vite as ours is: what React costs before our first line.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

/** Below the project, so that its packages are found. */
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache/rainbell-bench/', import.meta.url));

const source = `
import { createRoot } from 'react-dom/client';
createRoot(document.getElementById('root')).render(<h1>Nothing</h1>);`;

/** Returns the folder of the built app; its parent is to be removed. */
export async function buildEmptyApp(): Promise<{ built: string; folder: string }> {
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(join(cacheFolder, 'react-'));
  writeFileSync(join(folder, 'main.tsx'), source);
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><body><div id="root"></div><script type="module" src="./main.tsx"></script></body></html>',
  );
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins: [react()],
    build: { target: 'chrome140', modulePreload: { polyfill: false } },
  });
  return { built: join(folder, 'dist'), folder };
}
