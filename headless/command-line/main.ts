// `rainbell`: the testers' command line, on the same store as the app. scripts/rainbell.mjs starts it on the right Node.
// Whatever goes wrong ends with one sentence and a code of exit-codes.ts, never with a stack trace.
import { createInterface } from 'node:readline';
import { systemClock } from '#contract/clock.ts';
import { AppFailure, systemCode } from '#core/app-failure.ts';
import { readArguments, WrongUse } from './arguments.ts';
import { helpOf, overview, type Command } from './command.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-codes.ts';
import { forecast } from './forecast.ts';
import { listen } from './listen.ts';
import { createMonitor, deleteMonitor, listMonitors } from './monitors.ts';
import { createOutput, type Output } from './output.ts';
import { wait } from './wait.ts';

const commands: readonly Command[] = [listen, wait, forecast, listMonitors, createMonitor, deleteMonitor];

process.exitCode = await runCommandLine(process.argv.slice(2));

async function runCommandLine(args: readonly string[]): Promise<ExitCode> {
  const output = createOutput({ out: process.stdout, words: process.stderr });
  const ending = new AbortController();
  endOnSignal(() => ending.abort());
  endWhenNobodyReads(() => ending.abort());
  try {
    const command = findCommand(args);
    if (command === undefined) {
      process.stdout.write(overview(commands));
      return exitCodes.done;
    }
    const given = readArguments(args.slice(command.name.split(' ').length), command.options);
    if (given.isSet('help')) {
      process.stdout.write(helpOf(command));
      return exitCodes.done;
    }
    const { signal } = ending;
    const surroundings = { clock: systemClock, environment: process.env, output, signal };
    return await command.run(given, { ...surroundings, readLine: () => readLine(signal) });
  } catch (error) {
    // What breaks off when it is told to end has not failed.
    return ending.signal.aborted ? exitCodes.interrupted : explain(error, output);
  }
}

/** Undefined where only help is asked for. Throws WrongUse. */
function findCommand(args: readonly string[]): Command | undefined {
  const typed = args.join(' ');
  const command = commands.find(({ name }) => typed === name || typed.startsWith(`${name} `));
  if (command || ['', '--help', '-h', 'help'].includes(typed)) return command;
  const subjects = commands.filter(({ name }) => name.startsWith(`${args[0]} `));
  if (subjects.length > 0 && (args.length === 1 || args[1] === '--help')) {
    throw new WrongUse(`Choose one of: ${subjects.map(({ name }) => `rainbell ${name}`).join(', ')}.`);
  }
  const words = args.slice(0, subjects.length > 0 ? 2 : 1).join(' ');
  throw new WrongUse(`There is no command “${words}”. See rainbell --help.`);
}

function explain(error: unknown, output: Output): ExitCode {
  if (error instanceof WrongUse) {
    output.tell(error.message);
    return exitCodes.wrongUse;
  }
  if (error instanceof AppFailure) {
    output.tell(error.message);
    return exitCodeOf(error.code);
  }
  const reason = systemCode(error) ?? (error instanceof Error ? error.message : String(error));
  output.tell(`Rainbell has a fault of its own here (${reason.split('\n')[0]}). Please report it.`);
  return exitCodes.thisMachine;
}

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

async function readLine(signal: AbortSignal): Promise<string> {
  for await (const line of createInterface({ input: process.stdin, signal })) return line;
  throw new WrongUse('Nothing came on the standard input; pipe the secret into this command.');
}
