// `node scripts/run.cjs ENTRY [ARGUMENTS]`: runs an entry in the bundle that `npm run build` left if nothing was changed since, which halves
// the time that a start takes; otherwise its source, as in a fresh checkout. RAINBELL_SOURCES=1 runs the source, for a debugger.
const { enableCompileCache } = require('node:module');
const { join, relative, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { isBuilt } = require('./fresh-build.mjs');
const { bundleName } = require('./host-bundle.mjs');

const project = join(__dirname, '..');
const [, , name = '', ...args] = process.argv;
const entry = resolve(name);
// An unwritable folder must not prevent the start. Threads read the variable.
process.env.NODE_COMPILE_CACHE ??= join(project, 'node_modules', '.cache', 'rainbell-compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
process.argv = [process.argv[0] ?? '', entry, ...args];
if (!process.env.RAINBELL_SOURCES && isBuilt())
  require(join(project, 'dist', 'host', `${bundleName(relative(project, entry))}.cjs`));
else void import(pathToFileURL(entry).href);
