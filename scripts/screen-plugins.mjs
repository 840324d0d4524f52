// What Vite needs for the screens beyond their sources, for the build and for the component tests.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { designTokens } from '@rainbell/shared';
import { helpPages } from './help-pages.mjs';

/**
 * Puts renderer/ui/jsx-runtime.ts in the place of React's, for our components and those of packages.
 * @type {import('vite').Plugin}
 */
const escapingJsx = {
  name: 'escaping-jsx',
  enforce: 'pre',
  applyToEnvironment: ({ config }) => config.consumer === 'client',
  resolveId(id, importer) {
    const runtime = fileURLToPath(new URL('../renderer/ui/jsx-runtime.ts', import.meta.url));
    return id === 'react/jsx-runtime' && importer !== runtime ? runtime : null;
  },
};

/**
 * Writes the design tokens into the app's stylesheet, as the service does for its website.
 * @type {import('vite').Plugin}
 */
const writeDesignTokens = {
  name: 'write-design-tokens',
  enforce: 'pre',
  transform(code, id) {
    return id.endsWith('/renderer/ui/theme.css') ? code.replace('@design-tokens;', designTokens) : undefined;
  },
};

export const screenPlugins = () => [helpPages(), escapingJsx, writeDesignTokens, react()];
