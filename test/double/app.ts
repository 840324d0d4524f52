// The app object: life cycle in Electron's order, one instance per profile (truly between processes), and the end.
import { EventEmitter } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { BrowserWindow, windowNews } from './browser-window.ts';
import type { Tray } from './desktop.ts';
import { inside, preventable } from './inside.ts';
import { sessionNews } from './session.ts';
import { runningUtilities } from './utility-process.ts';
import { world } from './world.ts';

const project = join(import.meta.dirname, '..', '..');

type PackageJson = { name: string; version: string; productName?: string };
const packageJson = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as PackageJson;

export class App extends EventEmitter {
  /** lib/browser/init.ts: the product's name, else the package's. */
  name = packageJson.productName ?? packageJson.name;
  readonly isPackaged = world.isPackaged;
  readonly commandLine = {
    hasSwitch: (name: string) => process.argv.some((argument) => argument.split('=')[0] === `--${name}`),
    getSwitchValue: () => '',
  };
  readonly [inside] = {
    world,
    trays: new Set<Tray>() as ReadonlySet<Tray>,
    isSandboxed: false,
    protocolClients: [] as string[],
    userModelId: undefined as string | undefined,
    contextMenu: undefined as object | undefined,
    badgeCount: 0,
    loginItem: undefined as object | undefined,
    relaunches: [] as string[][],
    isQuitting: false,
    isExiting: false,
    /** Called when the main module has been evaluated. */
    becomeReady: async () => {
      this.emit('will-finish-launching', {});
      // A Mac hands over the address that started the app before it is ready, and never on the command line.
      const opened = process.env['RAINBELL_DOUBLE_OPEN_URL'];
      if (opened) this.emit('open-url', preventable({}), opened);
      world.isReady = true;
      // Not before (shell/browser/electron_browser_main_parts_posix.cc), and not on Windows, where a signal ends the process at once.
      const signals = process.platform === 'win32' ? [] : ['SIGINT', 'SIGTERM'];
      for (const signal of signals) process.on(signal, () => this.quit());
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
    windowNews.on('contents', (contents: EventEmitter) => {
      // lib/browser/api/web-contents.ts passes it on.
      contents.on('login', (event: object, ...args: unknown[]) => this.emit('login', event, contents, ...args));
      this.emit('web-contents-created', {}, contents);
    });
    windowNews.on('focused', (window: BrowserWindow) => this.emit('browser-window-focus', {}, window));
    windowNews.on('opened', (window: BrowserWindow) => this.emit('browser-window-created', {}, window));
    windowNews.on('closed', () => this.#lookForLastWindow());
    sessionNews.on('created', (session: object) => this.emit('session-created', session));
  }

  isReady(): boolean {
    return world.isReady;
  }

  async whenReady(): Promise<void> {
    if (!world.isReady) await new Promise((resolve) => this.once('ready', resolve));
  }

  getVersion(): string {
    return packageJson.version;
  }

  setPath(name: string, path: string): void {
    mkdirSync(path, { recursive: true });
    this.#paths.set(name, path);
    if (name === 'userData') world.preferencesFile = join(path, 'double-preferences.json');
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

  setAppUserModelId(id: string): void {
    this[inside].userModelId = id;
  }

  setBadgeCount(count = 0): boolean {
    this[inside].badgeCount = count;
    return process.platform !== 'win32';
  }

  /** Does nothing on Linux (shell/browser/browser_linux.cc). */
  setLoginItemSettings(settings: { openAtLogin?: boolean; args?: string[] }): void {
    if (process.platform !== 'linux') this[inside].loginItem = settings;
  }

  getLoginItemSettings() {
    const wasOpenedAtLogin = process.env['RAINBELL_DOUBLE_OPENED_AT_LOGIN'] === '1' && process.platform === 'darwin';
    return { openAtLogin: this[inside].loginItem !== undefined, wasOpenedAtLogin };
  }

  /** Another instance starts when this one has ended: a helper process waits for that (shell/browser/relauncher.cc). */
  relaunch({ args = process.argv.slice(1) }: { args?: string[] } = {}): void {
    this[inside].relaunches.push(args);
  }

  getAppMetrics() {
    return runningUtilities().map(({ pid, serviceName }) => ({ pid, type: 'Utility', serviceName }));
  }

  requestSingleInstanceLock(additionalData?: object): boolean {
    const file = join(this.getPath('userData'), 'SingletonLock');
    const first = readLock(file);
    if (first !== undefined && isAlive(first.pid)) {
      tellFirst(first.pipe, additionalData);
      return false;
    }
    const pipe = pipeName();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ pid: process.pid, pipe }));
    this.#lock = file;
    listenForOthers(pipe, ({ argv, workingFolder, data }) => {
      void this.whenReady().then(() => this.emit('second-instance', {}, argv, workingFolder, data));
    });
    return true;
  }

  /** shell/browser/browser.cc, Browser::Quit: the windows are asked first, then `will-quit`. */
  quit(): void {
    if (this[inside].isQuitting) return;
    const asked = preventable({});
    this.emit('before-quit', asked);
    if (asked.defaultPrevented) return;
    this[inside].isQuitting = true;
    if (BrowserWindow.getAllWindows().length === 0) {
      this.#notifyAndShutDown();
      return;
    }
    for (const window of BrowserWindow.getAllWindows()) window.close();
    if (BrowserWindow.getAllWindows().length > 0) this[inside].isQuitting = false;
  }

  /** Browser::Exit: windows are destroyed without a question, and neither `before-quit` nor `will-quit` is emitted. */
  exit(code = 0): void {
    this[inside].isQuitting = true;
    this[inside].isExiting = true;
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
    this.emit('quit', {}, code);
    if (this.#lock !== undefined) rmSync(this.#lock, { force: true });
    world.exit(code);
  }

  /** Prevented, the app is as before and may quit again. */
  #notifyAndShutDown(): void {
    const asked = preventable({});
    this.emit('will-quit', asked);
    if (asked.defaultPrevented) this[inside].isQuitting = false;
    else this.exit(0);
  }

  #lookForLastWindow(): void {
    if (BrowserWindow.getAllWindows().length > 0 || this[inside].isExiting) return;
    if (this[inside].isQuitting) this.#notifyAndShutDown();
    else if (this.listenerCount('window-all-closed') === 0) this.quit();
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
  // The separator is the machine's, whatever platform a test poses as.
  return sep === '\\' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

type Start = { argv: string[]; workingFolder: string; data: object | null };

function listenForOthers(pipe: string, onOther: (start: Start) => void): void {
  rmSync(pipe, { force: true });
  const server = createServer((socket) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.on('end', () => onOther(JSON.parse(text) as Start));
  });
  server.listen(pipe);
  server.unref();
  process.once('exit', () => rmSync(pipe, { force: true }));
}

/** The command line arrives in another order, flags first, and with some that nobody gave (docs/api/app.md). */
function tellFirst(pipe: string, data: object = {}): void {
  const [program = '', ...args] = process.argv;
  const flags = args.filter((argument) => argument.startsWith('--'));
  const others = args.filter((argument) => !argument.startsWith('--'));
  const argv = [program, ...flags, '--allow-file-access-from-files', ...others];
  const socket = connect(pipe);
  socket.on('error', () => {});
  socket.end(JSON.stringify({ argv, workingFolder: process.cwd(), data } satisfies Start));
}
