// Apps with nothing in them, built by vite as ours is: what React, and Mantine on top of it, cost before our first line;
// and a plain React list, which draws every row.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

/** Below the project, so that its packages are found. */
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache/rainbell-bench/', import.meta.url));

const sources = {
  react: `
    import { createRoot } from 'react-dom/client';
    createRoot(document.getElementById('root')).render(<h1>Nothing</h1>);`,
  mantine: `
    import '@mantine/core/styles.css';
    import { MantineProvider, Title } from '@mantine/core';
    import { createRoot } from 'react-dom/client';
    createRoot(document.getElementById('root')).render(<MantineProvider><Title>Nothing</Title></MantineProvider>);`,
  list: `
    import { useState } from 'react';
    import { createRoot } from 'react-dom/client';
    const wanted = Number(new URLSearchParams(location.search).get('rows'));
    const rows = Array.from({ length: wanted }, (_, index) => ({ id: index, at: '12:00:00.000', target: '/hooks/bench' }));
    function List() {
      const [isOpen, setOpen] = useState(false);
      return (
        <>
          <button onClick={() => setOpen(!isOpen)}>Callbacks</button>
          <div role="listbox" style={{ height: 700, overflow: 'auto' }}>
            {isOpen && rows.map((row) => (
              <div role="option" key={row.id}>
                <span>{row.at}</span><span>precipitation_{row.id}</span><span><b>POST</b> {row.target}</span><span>300 B</span><span>200</span>
              </div>
            ))}
          </div>
        </>
      );
    }
    createRoot(document.getElementById('root')).render(<List />);`,
} as const;

export type EmptyApp = keyof typeof sources;

/** Answers the folder of the built app; its parent is to be removed. */
export async function buildEmptyApp(name: EmptyApp): Promise<{ built: string; folder: string }> {
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(join(cacheFolder, `${name}-`));
  writeFileSync(join(folder, 'main.tsx'), sources[name]);
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
