// Defines a command: its help text, its flags, and what it does with them.
import type { Clock } from '@rainbell/shared';
import type { ParsedArguments, Option, Options } from './arguments.ts';
import { exitCodeMeanings, type ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** Entries of the threads that a command may start: sources under Node, built files in the packaged app. */
export type Workers = {
  /** core/receiver/server/receiver-worker.ts */
  receiver: URL;
  /** service/places/places-worker.ts */
  places: URL;
  /** core/http/json-worker.ts */
  json: URL;
};

export type CommandContext = {
  version: string;
  clock: Clock;
  environment: Readonly<Record<string, string | undefined>>;
  workers: Workers;
  output: Output;
  /** The first line of stdin, without its end. */
  readLine: () => Promise<string>;
  /** Standard input, for a command that reads it whole. */
  openInput: () => NodeJS.ReadableStream;
  /** The user's terminal; undefined in scripts, pipes, and CI. Keys are read only once it is listened to. */
  openTerminal: () => Terminal | undefined;
  /** Aborted by Ctrl+C, and with `OutputClosed` when the reader of standard output closes it. */
  signal: AbortSignal;
};

/** The reader of standard output has closed it, as in `rainbell export | head -1`. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

export type Command = {
  /** As typed after `rainbell`. */
  name: string;
  /** What follows the name: required words in capitals, then flags. */
  usage: string;
  /** In the imperative, without a period. */
  summary: string;
  /** Paragraphs for the command's own help. */
  details: readonly string[];
  options: Options;
  /** Whether it reads all arguments itself, as its `words`, --help included. */
  readsArguments?: true;
  /** Command lines for the help, without `rainbell`. */
  examples: readonly string[];
  /** What every error ends with, for a command whose 1 and 2 have a meaning of their own. */
  errorCode?: ExitCode;
  /** Throws UsageError for a wrong command line and AppFailure for what could not be done. */
  run: (given: ParsedArguments, context: CommandContext) => Promise<ExitCode>;
};

export const commonOptions = {
  json: { words: 'print JSON for programs' },
  port: {
    value: 'N',
    words: 'port to listen on; 0 picks a free one (default: 4545 unless changed in the app, or the next free port)',
  },
  data: { value: 'DIR', words: 'data folder, the same as the app’s (default: your user data folder)' },
} as const satisfies Record<string, Option>;

export const helpOption = { help: { words: 'print this help' } } satisfies Options;

export function helpOf({ name, usage, summary, details, options, examples }: Command): string {
  const flags = Object.entries<Option>({ ...options, ...helpOption }).map(
    ([flag, { value, words }]) =>
      [`${flag === 'help' ? '-h, ' : ''}--${flag}${value ? ` ${value}` : ''}`, words] as const,
  );
  const sections = [
    `Usage: rainbell ${name} ${usage}`,
    summary,
    ...details,
    `Options:\n${rows(flags)}`,
    `Examples:\n${examples.map((example) => `  rainbell ${example}`).join('\n')}`,
    exitCodeHelp(),
  ];
  return `${sections.join('\n\n')}\n`;
}

export const overviewUsage = 'rainbell COMMAND [ARGUMENTS] [OPTIONS]';

export function overview(commands: readonly Command[]): string {
  return `Usage: ${overviewUsage}

Receive callbacks, wait for them in scripts, and manage monitors

Commands:
${rows(commands.map(({ name, usage, summary }) => [`${name} ${usage}`.replace(/ \[?\(?--.*/, ''), summary]))}

Options:
${rows([
  ['-h, --help', 'print this help, or the help for a command: rainbell COMMAND --help'],
  ['-V, --version', 'print the version'],
])}

Examples:
  rainbell listen --forward-to http://localhost:3000
  rainbell wait --monitor precipitation_12 --timeout 5m

${exitCodeHelp()}
`;
}

function exitCodeHelp(): string {
  return `Exit codes:\n${rows(exitCodeMeanings.map(([code, words]) => [String(code), words]))}`;
}

function rows(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
