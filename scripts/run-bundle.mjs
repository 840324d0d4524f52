// Runs a bundle with the code that V8 compiled when it ran before. Node's compile cache stores the code of a file before the file runs,
// so it lacks most functions, which were compiled again at each start: a fifth of its time. quick-start.mjs resolves an entry to this module,
// with the bundle in the query.
const { hash } = process.getBuiltinModule('node:crypto');
const { readFileSync, renameSync, rmSync, statSync, writeFileSync } = process.getBuiltinModule('node:fs');
const { createRequire, Module } = process.getBuiltinModule('node:module');
const { basename, dirname, join } = process.getBuiltinModule('node:path');
const { Script } = process.getBuiltinModule('node:vm');
const { threadId } = process.getBuiltinModule('node:worker_threads');

/** The start is over, and V8 has not yet dropped the code of functions that only a start calls. */
const keepAfterMs = 3_000;
/** Two numbers and a SHA-1 as text: a multiple of eight, because V8 copies code that is not aligned. */
const headerBytes = 56;
const [before, after] = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

const { searchParams } = new URL(import.meta.url);
const [wantedFile, wantedFolder] = [searchParams.get('file'), searchParams.get('code')];
if (wantedFile !== null && wantedFolder !== null) runBundle(wantedFile, wantedFolder);

/**
 * Returns the URL of this module that runs a bundle when it is imported.
 * @param {string} file the path of a CommonJS file
 * @param {string} codeFolder the folder for the code; if it is not writable, V8 compiles again at each start
 */
export function bundleRunner(file, codeFolder) {
  const query = new URLSearchParams({ file, code: codeFolder }).toString();
  return `${new URL('run-bundle.mjs', import.meta.url).href}?${query}`;
}

/**
 * @param {string} file
 * @param {string} codeFolder
 */
function runBundle(file, codeFolder) {
  const { mtimeMs, size } = statSync(file);
  const stamp = [mtimeMs, size];
  const whole = join(codeFolder, `${basename(file)}-${process.version}-${process.arch}`);
  // From a process that ended during its start, as after `--help`.
  const part = `${whole}-part`;
  const wholeCode = readCode(whole, stamp);
  const cachedData = wholeCode ?? readCode(part, stamp);
  const script = new Script(`${before}${readFileSync(file, 'utf8')}${after}`, {
    filename: file,
    columnOffset: -before.length,
    cachedData,
  });
  const isUsed = cachedData !== undefined && !script.cachedDataRejected;
  if (!isUsed || wholeCode === undefined) keepCode(script, { whole, part, stamp, isNew: !isUsed });
  const require = createRequire(file);
  const module = new Module(file);
  module.filename = file;
  // The parts that are loaded later import it.
  require.cache[file] = module;
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
  module.loaded = true;
}

/**
 * Returns the code if it is that of this bundle and undamaged, because V8 checks neither.
 * @param {string} codeFile
 * @param {readonly number[]} stamp
 */
function readCode(codeFile, stamp) {
  try {
    const kept = readFileSync(codeFile);
    const code = kept.subarray(headerBytes);
    return kept.subarray(0, headerBytes).equals(headerOf(stamp, code)) ? code : undefined;
  } catch {
    // The first start after a build.
    return undefined;
  }
}

/**
 * @param {readonly number[]} stamp the bundle's time of change and size
 * @param {Buffer} code
 */
function headerOf(stamp, code) {
  return Buffer.concat([Buffer.from(new Float64Array(stamp).buffer), Buffer.from(hash('sha1', code))]);
}

/**
 * Writes what is compiled when the start is over, or when the process ends before that.
 * @param {import('node:vm').Script} script
 * @param {{ whole: string, part: string, stamp: readonly number[], isNew: boolean }} where `isNew` if there is no code yet
 */
function keepCode(script, { whole, part, stamp, isNew }) {
  /** @param {string} file */
  const write = (file) => {
    // Other processes and threads may be writing theirs.
    const half = `${file}.${process.pid}-${threadId}`;
    try {
      const code = script.createCachedData();
      writeFileSync(half, Buffer.concat([headerOf(stamp, code), code]));
      renameSync(half, file);
    } catch {
      rmSync(half, { force: true });
    }
  };
  const keepPart = () => write(part);
  if (isNew) process.once('exit', keepPart);
  setTimeout(() => {
    process.off('exit', keepPart);
    write(whole);
    rmSync(part, { force: true });
  }, keepAfterMs).unref();
}
