// Finds the command, reads its arguments, runs it, and turns whatever goes wrong into one sentence and an exit code.
import { AppFailure, systemCode } from '#core/app-failure.ts';
import { readArguments, WrongUse } from './arguments.ts';
import { helpOf, overview, type Command, type Surroundings } from './command.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-codes.ts';
import { exportCallbacks } from './export.ts';
import { forecast } from './forecast.ts';
import { listen } from './listen.ts';
import { createMonitor, deleteMonitor, listMonitors } from './monitors.ts';
import type { Output } from './output.ts';
import { replay } from './replay.ts';
import { wait } from './wait.ts';

const commands: readonly Command[] = [
  listen,
  wait,
  replay,
  exportCallbacks,
  forecast,
  listMonitors,
  createMonitor,
  deleteMonitor,
];

/** Never throws. */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { output, signal } = surroundings;
  try {
    const command = findCommand(args);
    if (command === undefined) {
      output.show(overview(commands));
      return exitCodes.done;
    }
    const given = readArguments(args.slice(command.name.split(' ').length), command.options);
    if (given.isSet('help')) {
      output.show(helpOf(command));
      return exitCodes.done;
    }
    return await command.run(given, surroundings);
  } catch (error) {
    // What breaks off when it is told to end has not failed.
    return signal.aborted ? exitCodes.interrupted : explain(error, output);
  }
}

/** Undefined where only help is asked for. Throws WrongUse. */
function findCommand(args: readonly string[]): Command | undefined {
  const [first = '--help', second = '--help'] = args;
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (command || ['--help', 'help'].includes(first)) return command;
  const ofSubject = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (ofSubject.length > 0 && second === '--help') {
    throw new WrongUse(`Choose one of: ${ofSubject.map(({ name }) => `rainbell ${name}`).join(', ')}.`);
  }
  const words = ofSubject.length > 0 ? `${first} ${second}` : first;
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
