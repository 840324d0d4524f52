// The app object: life cycle in Electron's order, one instance per profile (truly between processes), and the end.
import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BrowserWindow, windowNews } from './browser-window.ts';
import { inside, preventable } from './inside.ts';
import { sessionNews } from './session.ts';
import { runningUtilities } from './utility-process.ts';
import { world } from './world.ts';

const project = join(import.meta.dirname, '..', '..');

export class App extends EventEmitter {
  readonly name = 'rainbell';
  readonly isPackaged = false;
  readonly commandLine = { appendSwitch: () => {}, hasSwitch: () => false, getSwitchValue: () => '' };
  readonly [inside] = {
    isSandboxed: false,
    protocolClients: [] as string[],
    isQuitting: false,
    /** Called when the main module has been evaluated. */
    becomeReady: async () => {
      await world.chromium;
      world.isReady = true;
      this.emit('ready', {}, {});
    },
  };
  readonly #paths = new Map<string, string>([
    ['temp', tmpdir()],
    ['home', tmpdir()],
    ['downloads', tmpdir()],
    ['exe', process.execPath],
  ]);
  #lock: string | undefined;

  constructor() {
    super();
    windowNews.on('contents', (contents: object) => this.emit('web-contents-created', {}, contents));
    windowNews.on('focused', (window: BrowserWindow) => this.emit('browser-window-focus', {}, window));
    windowNews.on('opened', (window: BrowserWindow) => this.emit('browser-window-created', {}, window));
    windowNews.on('closed', () => this.#lookForLastWindow());
    sessionNews.on('created', (session: object) => this.emit('session-created', session));
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => this.quit());
  }

  isReady(): boolean {
    return world.isReady;
  }

  async whenReady(): Promise<void> {
    if (!world.isReady) await new Promise((resolve) => this.once('ready', resolve));
  }

  getVersion(): string {
    return (JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string }).version;
  }

  getName(): string {
    return this.name;
  }

  getAppPath(): string {
    return project;
  }

  getLocale(): string {
    return 'en-GB';
  }

  setPath(name: string, path: string): void {
    mkdirSync(path, { recursive: true });
    this.#paths.set(name, path);
  }

  getPath(name: string): string {
    const path = this.#paths.get(name);
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }

  enableSandbox(): void {
    if (world.isReady) throw new Error('app.enableSandbox() can only be called before app is ready');
    this[inside].isSandboxed = true;
  }

  setAsDefaultProtocolClient(scheme: string): boolean {
    this[inside].protocolClients.push(scheme);
    return true;
  }

  setAppUserModelId(): void {}

  getAppMetrics() {
    return runningUtilities().map(({ pid, serviceName }) => ({ pid, type: 'Utility', serviceName }));
  }

  focus(): void {}

  requestSingleInstanceLock(): boolean {
    const file = join(this.getPath('userData'), 'SingletonLock');
    const first = readLock(file);
    if (first !== undefined && isAlive(first.pid)) {
      tellFirst(first.pipe);
      return false;
    }
    const pipe = pipeName();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ pid: process.pid, pipe }));
    this.#lock = file;
    listenForOthers(pipe, (argv, workingFolder) => {
      void this.whenReady().then(() => this.emit('second-instance', {}, argv, workingFolder, null));
    });
    return true;
  }

  quit(): void {
    const asked = preventable({});
    this.emit('before-quit', asked);
    if (asked.defaultPrevented) return;
    this[inside].isQuitting = true;
    for (const window of BrowserWindow.getAllWindows()) window.close();
    if (BrowserWindow.getAllWindows().length > 0) {
      this[inside].isQuitting = false;
      return;
    }
    const askedAgain = preventable({});
    this.emit('will-quit', askedAgain);
    if (askedAgain.defaultPrevented) return;
    this.exit(0);
  }

  exit(code = 0): void {
    this.emit('quit', {}, code);
    if (this.#lock !== undefined) rmSync(this.#lock, { force: true });
    void world.chromium
      .then((chromium) => chromium.close())
      .catch(() => {})
      .finally(() => process.exit(code));
  }

  #lookForLastWindow(): void {
    if (BrowserWindow.getAllWindows().length > 0 || this[inside].isQuitting) return;
    if (this.listenerCount('window-all-closed') === 0) this.quit();
    else this.emit('window-all-closed');
  }
}

export const app = new App();

type Lock = { pid: number; pipe: string };

function readLock(file: string): Lock | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Lock;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function pipeName(): string {
  const name = `rainbell-double-${process.pid}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

function listenForOthers(pipe: string, onOther: (argv: string[], workingFolder: string) => void): void {
  rmSync(pipe, { force: true });
  const server = createServer((socket) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.on('end', () => {
      const { argv, workingFolder } = JSON.parse(text) as { argv: string[]; workingFolder: string };
      onOther(argv, workingFolder);
    });
  });
  server.listen(pipe);
  server.unref();
  process.once('exit', () => rmSync(pipe, { force: true }));
}

function tellFirst(pipe: string): void {
  const socket = connect(pipe);
  socket.on('error', () => {});
  socket.end(JSON.stringify({ argv: process.argv, workingFolder: process.cwd() }));
}
