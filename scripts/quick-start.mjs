// Loaded before an entry (`node --import`) to halve the time that a start takes. Node keeps what it compiled. If `npm run build` left a
// bundle of the entry, the bundle runs (one line on stderr says so, except for commands), but only if every file from which it was made
// still has the time and size that it had then; for packages, npm's record of what it installed counts. Otherwise the sources run, as in
// a fresh checkout. They also run under a debugger (`--inspect`, `--inspect-brk`, `--inspect-wait`), and if RAINBELL_SOURCES=1.
import { freshBundle } from './fresh-bundle.mjs';
import { bundleRunner } from './run-bundle.mjs';
import { showSourcesInStacks } from './source-stacks.mjs';

const { writeSync } = process.getBuiltinModule('node:fs');
const { enableCompileCache, registerHooks } = process.getBuiltinModule('node:module');
const { join, relative, sep } = process.getBuiltinModule('node:path');
const { fileURLToPath } = process.getBuiltinModule('node:url');
const { isMainThread } = process.getBuiltinModule('node:worker_threads');

const project = fileURLToPath(new URL('..', import.meta.url));
const bundles = join(project, 'dist', 'host');
const compiled = join(project, 'node_modules', '.cache', 'rainbell-compiled');
// An unwritable folder must not prevent the start.
enableCompileCache(compiled);

/** Exchanges the process's or thread's entry, which is what is resolved first. */
const hooks = registerHooks({
  resolve(specifier, context, next) {
    hooks.deregister();
    const resolved = next(specifier, context);
    if (wantsSources() || !resolved.url.startsWith('file:')) return resolved;
    const entry = fileURLToPath(resolved.url);
    const bundle = freshBundle({ project, bundles, entry });
    if (bundle === undefined) return resolved;
    showSourcesInStacks(`${bundles}${sep}`);
    if (isMainThread && !isCommand(entry)) announce(entry, bundle);
    return { ...resolved, url: bundleRunner(bundle, compiled), format: 'module' };
  },
});

/**
 * Returns whether stderr belongs to the caller: scripts read a command's messages there.
 * @param {string} entry
 */
function isCommand(entry) {
  return ['command-line/main.ts', 'service/operator/main.ts'].some((command) => entry === join(project, command));
}

function wantsSources() {
  const flags = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)];
  return (
    Boolean(process.env['RAINBELL_SOURCES']) || flags.some((flag) => /^--inspect([-_](brk|wait))?(=|$)/.test(flag))
  );
}

/**
 * @param {string} entry
 * @param {string} bundle
 */
function announce(entry, bundle) {
  const [source, file] = [entry, bundle].map((path) => relative(project, path).replaceAll('\\', '/'));
  try {
    writeSync(2, `running the bundle for ${source} (${file}); set RAINBELL_SOURCES=1 to run the sources\n`);
  } catch {
    // A closed stderr is not a reason not to start.
  }
}
