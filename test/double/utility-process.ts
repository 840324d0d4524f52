// utilityProcess: a real process of plain Node, with the parent's port that Electron gives.
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { world } from './world.ts';

const entry = fileURLToPath(new URL('./utility-process-entry.ts', import.meta.url));

const running = new Set<{ pid: number; serviceName: string }>();

/** For app.getAppMetrics. */
export function runningUtilities(): { pid: number; serviceName: string }[] {
  return [...running];
}

export class UtilityProcess extends EventEmitter {
  pid: number | undefined;
  readonly #child: ChildProcess;

  constructor(modulePath: string, args: readonly string[], serviceName: string) {
    super();
    this.#child = fork(entry, [modulePath, ...args], { serialization: 'advanced', execArgv: [] });
    this.pid = this.#child.pid;
    const entryOfRunning = { pid: this.#child.pid ?? 0, serviceName };
    running.add(entryOfRunning);
    this.#child.on('spawn', () => this.emit('spawn'));
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('exit', (code, signal) => {
      this.pid = undefined;
      running.delete(entryOfRunning);
      try {
        // A fatal error of V8, such as no memory (shell/browser/api/electron_api_utility_process.cc, OnV8FatalError).
        if (signal === 'SIGABRT') this.emit('error', 'FatalError', 'unknown location', '{}');
      } finally {
        this.emit('exit', code ?? 1);
      }
    });
    process.once('exit', () => this.#child.kill('SIGKILL'));
  }

  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object);
  }

  kill(): boolean {
    return this.#child.kill();
  }
}

export const utilityProcess = {
  fork(modulePath: string, args: readonly string[] = [], options: { serviceName?: string } = {}): UtilityProcess {
    if (!world.isReady) throw new Error('utilityProcess cannot be used before app is ready');
    return new UtilityProcess(modulePath, args, options.serviceName ?? 'Node Utility Process');
  },
};
