// Loaded before an entry (`node --import`), for a start in half the time. Node keeps what it compiled. And where `npm run build`
// left a bundle of the entry, that runs, but only if each file from which it was made has the time and size it had then, which
// npm's record of what it installed stands for where packages are concerned; otherwise the sources run, as they do in a fresh
// checkout. RAINBELL_SOURCES=1 always runs the sources.
import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freshBundle } from './fresh-bundle.mjs';

const project = fileURLToPath(new URL('..', import.meta.url));
// A folder that cannot be written is no reason not to start.
enableCompileCache(join(project, 'node_modules', '.cache', 'rainbell-compiled'));

/** Exchanges the process's or thread's entry, which is what is resolved first. */
const hooks = registerHooks({
  resolve(specifier, context, next) {
    hooks.deregister();
    const resolved = next(specifier, context);
    if (process.env['RAINBELL_SOURCES'] || !resolved.url.startsWith('file:')) return resolved;
    const entry = fileURLToPath(resolved.url);
    const bundle = freshBundle({ project, bundles: join(project, 'dist', 'host'), entry });
    return bundle === undefined ? resolved : { ...resolved, url: pathToFileURL(bundle).href, format: 'module' };
  },
});
