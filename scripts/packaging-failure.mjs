// Why packaging failed, as one sentence. electron-builder downloads Electron and its tools (fpm, the AppImage runtime, NSIS), and without
// a network it throws the HTTP client's error with its stack.

const networkCodes = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'EPROTO',
];

/**
 * @param {unknown} error
 * @returns {string}
 */
export function describePackagingFailure(error) {
  const causes = causesOf(error);
  const download = causes.find(isDownloadFailure);
  if (download === undefined) return `the app could not be packaged: ${firstLine(causes[0]?.message ?? String(error))}`;
  return (
    `a download that packaging needs failed (${firstLine(download.message)}). electron-builder fetches Electron and its tools from ` +
    'github.com; connect to the internet, or use local copies as described in docs/packaging.md under "Without internet access".'
  );
}

/**
 * The error and the errors that caused it, the outermost first.
 * @param {unknown} error
 * @returns {Error[]}
 */
function causesOf(error) {
  /** @type {Error[]} */
  const causes = [];
  for (let current = error; current instanceof Error && causes.length < 10; current = current.cause)
    causes.push(current);
  return causes;
}

/** @param {Error & { code?: unknown, response?: unknown }} error */
function isDownloadFailure(error) {
  if (typeof error.code === 'string' && (networkCodes.includes(error.code) || error.code.startsWith('ERR_NON_2XX')))
    return true;
  return error.name === 'HTTPError' || networkCodes.some((code) => error.message.includes(code));
}

/** @param {string} text */
function firstLine(text) {
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').trim().replace(/\.$/, '');
}
