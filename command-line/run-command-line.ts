// Finds the command, reads its arguments, runs it, and turns whatever goes wrong into one sentence and an exit code.
import { AppFailure } from '@rainbell/core';
import { describeStorageError, storageCauseOf, storageRemedy, systemCode } from '@rainbell/shared';
import { databasesIn, describeReports } from '@rainbell/shared/node';
import {
  readArguments,
  readDataFolder,
  requireArguments,
  UsageError,
  type ParsedArguments,
} from './terminal/arguments.ts';
import { helpOf, helpOption, overview, overviewUsage, type Command, type CommandContext } from './terminal/command.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './terminal/exit-codes.ts';
import { check } from './commands/check.ts';
import { checkLiveProviders } from './commands/check-providers.ts';
import { dev } from './commands/dev.ts';
import { events } from './commands/events.ts';
import { exportCallbacks } from './commands/export.ts';
import { forecast } from './commands/forecast.ts';
import { listen } from './commands/listen.ts';
import { login, logout } from './commands/login.ts';
import { createMonitor, deleteMonitor, listMonitors, updateMonitor } from './commands/monitors.ts';
import { mcp } from './agent/mcp.ts';
import { applyMonitors, planMonitors } from './commands/monitors-as-code.ts';
import { exportMonitors, importMonitors } from './commands/monitor-files.ts';
import type { Output } from './terminal/output.ts';
import { rain, testEvent } from './commands/rain.ts';
import { replay } from './commands/replay.ts';
import { service } from './commands/service.ts';
import { signature, verify } from './commands/signature.ts';
import { tunnel } from './commands/tunnel.ts';
import { wait } from './commands/wait.ts';
import { why } from './commands/why.ts';

const commands: readonly Command[] = [
  listen,
  wait,
  tunnel,
  replay,
  signature,
  verify,
  exportCallbacks,
  forecast,
  listMonitors,
  createMonitor,
  updateMonitor,
  deleteMonitor,
  planMonitors,
  applyMonitors,
  importMonitors,
  exportMonitors,
  rain,
  testEvent,
  why,
  events,
  check,
  dev,
  service,
  checkLiveProviders,
  mcp,
  login,
  logout,
];

/** Never throws. */
export async function runCommandLine(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { output, signal } = context;
  let command: Command | undefined;
  try {
    if (args[0] === '--version' || args[0] === '-V') {
      output.show(`rainbell ${context.version}\n`);
      return exitCodes.done;
    }
    // `help wait` is the same as `wait --help`.
    const words = args[0] === 'help' && args.length > 1 ? [...args.slice(1), '--help'] : args;
    command = findCommand(words);
    if (command === undefined) {
      output.show(overview(commands));
      return exitCodes.done;
    }
    const after = words.slice(command.name.split(' ').length);
    if (command.readsArguments) return await command.run({ ...readArguments([], {}), words: after }, context);
    const given = readArguments(after, { ...command.options, ...helpOption });
    if (given.isSet('help')) {
      output.show(helpOf(command));
      return exitCodes.done;
    }
    // Only replay has an optional one, and reads it itself.
    if (!command.usage.startsWith('[ID]')) requireArguments(given, wordsIn(command.usage));
    return await runWithReports(command, given, context);
  } catch (error) {
    // A command that was interrupted has not failed.
    if (signal.aborted) return exitCodes.interrupted;
    const code = explain(error, output, command);
    return command?.errorCode ?? code;
  }
}

/** Such as LAT and LNG: those before the flags. */
function wordsIn(usage: string): readonly string[] {
  return /^[A-Z]+( [A-Z]+)*(?= |$)/.exec(usage)?.[0].split(' ') ?? [];
}

/** Prints the damage reports of the data folder, and after the command those that it made. */
async function runWithReports(command: Command, given: ParsedArguments, context: CommandContext): Promise<ExitCode> {
  if (!Object.hasOwn(command.options, 'data')) return command.run(given, context);
  const printed = new Set<string>();
  const tell = (sentence: string) => {
    printed.add(sentence);
    context.output.info(sentence);
  };
  const tellReports = () => {
    for (const words of describeReports(databasesIn(readDataFolder(given)))) if (!printed.has(words)) tell(words);
  };
  tellReports();
  try {
    return await command.run(given, { ...context, output: { ...context.output, info: tell } });
  } finally {
    tellReports();
  }
}

/** Returns undefined if only help is requested. Throws UsageError. */
function findCommand(args: readonly string[]): Command | undefined {
  const [first = '--help', second = '--help'] = args;
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`);
  if (command || ['--help', '-h', 'help'].includes(first)) return command;
  const ofSubject = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (ofSubject.length > 0 && ['--help', '-h'].includes(second)) {
    throw new UsageError(`Choose one of: ${ofSubject.map(({ name }) => `rainbell ${name}`).join(', ')}.`);
  }
  const words = ofSubject.length > 0 ? `${first} ${second}` : first;
  throw new UsageError(`unknown command “${words}”`, { isAboutUsage: true });
}

function explain(error: unknown, output: Output, command: Command | undefined): ExitCode {
  if (error instanceof UsageError) {
    output.info(`error: ${error.message}`);
    if (error.isAboutUsage && command) output.info(`Usage: rainbell ${command.name} ${command.usage}`);
    else if (error.isAboutUsage) output.info(`Usage: ${overviewUsage} (rainbell --help lists the commands)`);
    return exitCodes.wrongUse;
  }
  if (error instanceof AppFailure) {
    const seconds = error.details.retryAfterSeconds;
    output.info(`error: ${error.message}${seconds === undefined ? '' : ` Try again in ${seconds} s.`}`);
    return exitCodeOf(error.code);
  }
  const phrase = describeStorageError(error);
  if (phrase !== undefined) {
    const cause = storageCauseOf(error);
    output.info(
      `error: the data folder cannot be used: ${phrase}.${cause === undefined ? '' : ` ${storageRemedy(cause)}.`}`,
    );
    return exitCodes.thisMachine;
  }
  const reason = systemCode(error) ?? (error instanceof Error ? error.message : String(error));
  output.info(`error: internal error: ${reason.split('\n')[0]}. Report it with the command that you ran.`);
  return exitCodes.thisMachine;
}
