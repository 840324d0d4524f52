// The bundle that scripts/run.cjs runs instead of the sources: the service, the headless host, the commands, threads, and packages.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleName } from './built.cjs';
import { projectFolder } from './tool.mjs';

/** The threads for places run as sources: their cities are next to the package's code. */
export const hostEntries = [
  'service/main.ts',
  'headless/main.ts',
  'service/operator/main.ts',
  'command-line/main.ts',
  'headless/service-worker.ts',
];
export const threadEntries = ['core/receiver/server/receiver-worker.ts'];

/**
 * Modules find their files relative to their sources, and the threads in the bundle.
 * @param {string} outFolder
 * @returns {import('vite').Plugin}
 */
export function hostBundle(outFolder) {
  return {
    name: 'rainbell-host-bundle',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name.startsWith('host'),
    transform(code, id) {
      if (!code.includes('import.meta.')) return undefined;
      const placed = code.replaceAll(/import\.meta\.(?:url|resolve\('(@rainbell\/[^']+)'\))/g, (_, door) => {
        const file = door === undefined ? id : fileURLToPath(import.meta.resolve(door));
        const name = relative(projectFolder, file).replaceAll('\\', '/');
        const place =
          door !== undefined && [...hostEntries, ...threadEntries].includes(name)
            ? `${bundleName(name)}.cjs`
            : relative(outFolder, file).replaceAll('\\', '/');
        return `new URL(${JSON.stringify(place)}, import.meta.url).href`;
      });
      return { code: placed, map: null };
    },
  };
}
