// utilityProcess: a real process of plain Node, with the parent's port that Electron gives.
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { world } from './world.ts';

const entry = fileURLToPath(new URL('./utility-process-entry.ts', import.meta.url));

class UtilityProcess extends EventEmitter {
  pid: number | undefined;
  readonly #child: ChildProcess;

  constructor(modulePath: string, args: readonly string[]) {
    super();
    this.#child = fork(entry, [modulePath, ...args], { serialization: 'advanced', execArgv: [] });
    this.pid = this.#child.pid;
    this.#child.on('spawn', () => this.emit('spawn'));
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('exit', (code) => {
      this.pid = undefined;
      this.emit('exit', code ?? 1);
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
  fork(modulePath: string, args: readonly string[] = [], _options?: object): UtilityProcess {
    if (!world.isReady) throw new Error('utilityProcess cannot be used before app is ready');
    return new UtilityProcess(modulePath, args);
  },
};
