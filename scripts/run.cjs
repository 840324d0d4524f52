// `node scripts/run.cjs ENTRY [ARGUMENTS]`: runs an entry in the bundle that `npm run build` left if nothing was changed since, which takes a
// quarter of the time; otherwise its source, as in a fresh checkout. RAINBELL_SOURCES=1 runs the source, for a debugger.
const { enableCompileCache } = require('node:module');
const { join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { bundleOf, isBuilt, sourcesOf } = require('./built.cjs');

const [program = '', , name = '', ...args] = process.argv;
const entry = resolve(name);
// An unwritable folder must not prevent the start. Threads read the variable.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, '..', 'node_modules', '.cache', 'rainbell-compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
process.argv = [program, entry, ...args];
if (!process.env.RAINBELL_SOURCES && isBuilt(sourcesOf(entry))) require(bundleOf(entry));
else void import(pathToFileURL(entry).href);
