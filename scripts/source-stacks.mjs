// Stack traces of a bundle that name the source file and line. Node's own `--enable-source-maps` reads every source map at the start,
// which costs 120 ms of CPU; here a map is read only when a stack that needs it is formatted.
const { readFileSync } = process.getBuiltinModule('node:fs');
const { SourceMap } = process.getBuiltinModule('node:module');
const { pathToFileURL } = process.getBuiltinModule('node:url');

/**
 * Formats the stacks of this thread's errors. Frames outside the folder stay as they are.
 * @param {string} bundles the folder of the bundles, with a separator at its end
 */
export function showSourcesInStacks(bundles) {
  // A parsed map takes many megabytes, so it may go when memory is needed.
  /** @type {Map<string, WeakRef<import('node:module').SourceMap>>} */
  const maps = new Map();

  /** @param {string} file */
  function mapOf(file) {
    const known = maps.get(file)?.deref();
    if (known) return known;
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
    maps.set(file, new WeakRef(map));
    return map;
  }

  /** @param {NodeJS.CallSite} frame */
  function describe(frame) {
    // oxlint-disable-next-line typescript/no-base-to-string -- V8's call sites have a text of their own, which the types omit
    const text = frame.toString();
    const file = frame.getFileName();
    const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
    if (!file?.startsWith(bundles) || line === null || column === null) return text;
    try {
      const origin = mapOf(file).findOrigin(line, column);
      if (!('fileName' in origin)) return text;
      const source = `${new URL(origin.fileName, pathToFileURL(file)).href}:${origin.lineNumber}:${origin.columnNumber}`;
      return text.replace(`${file}:${line}:${column}`, () => source);
    } catch {
      // A map that is missing or damaged must not hide the error.
      return text;
    }
  }

  Error.prepareStackTrace = (error, frames) =>
    [titleOf(error), ...frames.map((frame) => `    at ${describe(frame)}`)].join('\n');
}

/** @param {Error} error */
function titleOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}
