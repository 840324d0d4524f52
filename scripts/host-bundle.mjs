// The bundle that scripts/run.cjs runs instead of the sources: the service, the headless host, the commands, and threads, with their
// packages.
import { join, relative } from 'node:path';
import { bundleName } from './built.cjs';
import { projectFolder } from './tool.mjs';

/** The threads for places run as sources: their cities are next to the package's code. */
export const hostEntries = [
  'service/main.ts',
  'headless/main.ts',
  'service/operator/main.ts',
  'command-line/main.ts',
  'headless/service-worker.ts',
  'core/receiver/server/receiver-worker.ts',
];

/**
 * Modules find their files relative to their sources, and the threads in the bundle.
 * @param {string} outFolder
 * @returns {import('vite').Plugin}
 */
export function hostBundle(outFolder) {
  return {
    name: 'rainbell-host-bundle',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'host',
    transform(code, id) {
      if (!code.includes('import.meta.')) return undefined;
      const placed = code.replaceAll(/import\.meta\.(?:url|resolve\('#([^']+)'\))/g, (_, name) => {
        const file = name === undefined ? id : join(projectFolder, name);
        const place = hostEntries.includes(name)
          ? `${bundleName(name)}.cjs`
          : relative(outFolder, file).replaceAll('\\', '/');
        return `new URL(${JSON.stringify(place)}, import.meta.url).href`;
      });
      return { code: placed, map: null };
    },
  };
}
