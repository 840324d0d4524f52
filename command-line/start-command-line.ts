// Signals, input, output, and the exit code of the commands, for Node (main.ts) and the packaged app (command-mode.ts).
import { classifySignals } from '@rainbell/core';
import { describeStorageError, notUnicode, productVersion, systemClock, systemCode } from '@rainbell/shared';
import { readFirstLine } from '@rainbell/shared/node';
import { UsageError } from './terminal/arguments.ts';
import { OutputClosed, type Workers } from './terminal/command.ts';
import { exitCodes, type ExitCode } from './terminal/exit-codes.ts';
import { createOutput } from './terminal/output.ts';
import { runCommandLine } from './run-command-line.ts';
import { openTerminal } from './terminal/terminal.ts';

type Process = {
  workers: Workers;
  /** Standard input, opened only if a command reads it. */
  openInput: () => NodeJS.ReadableStream;
  /** Ends the process at once, after a second Ctrl+C. */
  exit: (code: ExitCode) => void;
};

/** Runs one command and returns its exit code once everything it printed has been written. Never throws. */
export async function startCommandLine(args: readonly string[], host: Process): Promise<ExitCode> {
  const ending = new AbortController();
  endOnSignal(() => ending.abort(), host.exit);
  const lost = endWhenUnread(ending);
  const code = await runCommandLine(args, {
    version: productVersion,
    clock: systemClock,
    environment: process.env,
    workers: host.workers,
    output: createOutput({ out: process.stdout, words: process.stderr }),
    readLine: () => readLine(host.openInput(), ending.signal),
    openInput: host.openInput,
    // Standard input of a script is left alone.
    openTerminal: () =>
      process.stdout.isTTY ? openTerminal(host.openInput(), process.stdout, () => ending.abort()) : undefined,
    signal: ending.signal,
  });
  // Pipes are asynchronous on Windows: a process that exits earlier loses the end of its output.
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  const { cause } = lost;
  if (cause === undefined) return code;
  process.stderr.write(`error: the output is incomplete: ${describeStorageError(cause) ?? String(cause)}.\n`);
  return exitCodes.thisMachine;
}

function endOnSignal(end: () => void, exit: Process['exit']): void {
  const classify = classifySignals({ clock: systemClock, graceMs: 500, afterTurn: setImmediate });
  const onSignal = () => {
    if (classify() === 'second') exit(exitCodes.interrupted);
    end();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

/** `rainbell listen | head -1` closes the pipe. The parent process may also be gone. Any other `cause` loses output, such as a full disk. */
function endWhenUnread(ending: AbortController): { cause?: Error } {
  const lost: { cause?: Error } = {};
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') lost.cause = error;
    ending.abort(new OutputClosed());
  });
  process.stderr.on('error', () => {});
  process.on('disconnect', () => ending.abort());
  process.channel?.unref();
  return lost;
}

/** Throws UsageError. */
export async function readLine(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<string> {
  const line = await readFirstLine(input, signal);
  if (!line) throw new UsageError('Standard input is empty. Pipe the secret into this command.');
  if (line.isAnsi) throw new UsageError(`Standard input ${notUnicode}`);
  return line.text;
}

/** Resolves when everything written so far was read, or the reader is gone. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}
