// Finds and downloads Electron's binary. Its npm package downloads it at first use, not at installation; a child process does it,
// because importing the package would block this process, and the child is stopped if nothing arrives.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from './tool.mjs';

const packageFolder = join(projectFolder, 'node_modules', 'electron');
const lookMs = 500;

/** Returns the path of the binary, or undefined. @returns {string | undefined} */
export function findElectron() {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(packageFolder, 'dist');
  try {
    const program = join(folder, readFileSync(join(packageFolder, 'path.txt'), 'utf8').trim());
    return existsSync(program) ? program : undefined;
  } catch {
    const named = join(folder, process.platform === 'win32' ? 'electron.exe' : 'electron');
    return process.env['ELECTRON_OVERRIDE_DIST_PATH'] !== undefined && existsSync(named) ? named : undefined;
  }
}

/**
 * Whether a window could be shown at all: on Linux that takes a display.
 * @param {Record<string, string | undefined>} [environment]
 */
export function hasDisplay(environment = process.env) {
  return process.platform !== 'linux' || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
}

/**
 * Downloads the binary; answers why that did not work, or nothing when it did.
 * @param {{ tell(sentence: string): void, signal: AbortSignal, silenceLimitMs?: number, progressMs?: number, installer?: string }} options
 * @returns {Promise<string | undefined>}
 */
export function downloadElectron({
  tell,
  signal,
  silenceLimitMs = 15_000,
  progressMs = 5000,
  installer = join(packageFolder, 'install.js'),
}) {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-electron-'));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [installer], {
      env: downloadEnvironment(folder),
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (complaints += text));
    const startedAt = performance.now();
    const seconds = () => Math.round((performance.now() - startedAt) / 1000);
    const bytesSoFar = () => bytesIn(folder) + bytesIn(join(packageFolder, 'dist'));
    const bytesBefore = bytesSoFar();
    let received = 0;
    let receivedAt = startedAt;
    let toldAt = startedAt;
    tell('Downloading Electron (about 120 MB, once)…');
    const look = () => {
      const now = performance.now();
      const bytes = bytesSoFar() - bytesBefore;
      if (bytes !== received) receivedAt = now;
      received = bytes;
      if (now - toldAt >= progressMs) {
        toldAt = now;
        tell(`Downloading Electron: ${megabytes(received)} MB in ${seconds()} s…`);
      }
      if (now - receivedAt < silenceLimitMs) return;
      clearInterval(timer);
      complaints = `nothing arrived for ${Math.round(silenceLimitMs / 1000)} s, after ${megabytes(received)} MB`;
      child.kill();
    };
    const timer = setInterval(look, Math.min(lookMs, silenceLimitMs, progressMs));
    const end = () => {
      clearInterval(timer);
      rmSync(folder, { recursive: true, force: true });
      const isHere = findElectron() !== undefined;
      if (isHere) tell(`Downloaded Electron in ${seconds()} s.`);
      resolve(isHere ? undefined : reasonIn(complaints));
    };
    child.on('error', (error) => (complaints = error.message));
    child.on('close', end);
  });
}

/** The download keeps its parts in a folder of our own, so that arriving bytes can be seen. @param {string} folder */
function downloadEnvironment(folder) {
  const proxy = process.env['HTTPS_PROXY'] ?? process.env['https_proxy'];
  return {
    ...process.env,
    TMPDIR: folder,
    TEMP: folder,
    TMP: folder,
    ELECTRON_GET_NO_PROGRESS: '1',
    // For a proxy that inspects TLS: its authority is among the system's.
    NODE_USE_SYSTEM_CA: '1',
    ...(proxy ? { ELECTRON_GET_USE_PROXY: '1' } : {}),
  };
}

/** @param {number} bytes */
function megabytes(bytes) {
  return Math.round(bytes / 1e6);
}

/** @param {string} folder */
function bytesIn(folder) {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0);
  } catch {
    return 0;
  }
}

const advice =
  'if this computer is online, set HTTPS_PROXY for a proxy, NODE_EXTRA_CA_CERTS for one that inspects TLS, or ELECTRON_MIRROR for another source';

/** The first line of an error's stack, without its class, and what may help if nothing arrived. @param {string} complaints */
function reasonIn(complaints) {
  const line = complaints.split('\n').find((text) => text.trim() !== '') ?? 'no reason was given';
  const reason = line.replace(/^\w*Error: /, '').replace(/\.$/, '');
  return /^(fetch failed|nothing arrived)/.test(reason) ? `${reason}; ${advice}` : reason;
}
