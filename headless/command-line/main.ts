// `rainbell`: the testers' command line, on the same store as the app. scripts/rainbell.mjs starts it on the right Node.
import { createInterface } from 'node:readline';
import { systemClock } from '#contract/clock.ts';
import { WrongUse } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { createOutput } from './output.ts';
import { runCommandLine } from './run-command-line.ts';

const ending = new AbortController();
endOnSignal(() => ending.abort());
endWhenNobodyReads(() => ending.abort());

process.exitCode = await runCommandLine(process.argv.slice(2), {
  clock: systemClock,
  environment: process.env,
  output: createOutput({ out: process.stdout, words: process.stderr }),
  readLine,
  signal: ending.signal,
});

function endOnSignal(end: () => void): void {
  let endingSince: number | undefined;
  const onSignal = () => {
    const now = systemClock.now();
    // The same Ctrl-C can come twice: from the terminal and from scripts/rainbell.mjs. A second one ends at once.
    if (endingSince !== undefined && now - endingSince > 500) process.exit(exitCodes.interrupted);
    endingSince ??= now;
    end();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

/** `rainbell listen | head -1` closes the pipe; the one who started us may be gone, too. */
function endWhenNobodyReads(end: () => void): void {
  process.stdout.on('error', end);
  process.stderr.on('error', () => {});
  process.on('disconnect', end);
  process.channel?.unref();
}

async function readLine(): Promise<string> {
  for await (const line of createInterface({ input: process.stdin, signal: ending.signal })) return line;
  throw new WrongUse('Nothing came on the standard input; pipe the secret into this command.');
}
