// `rainbell monitors import FILE` and `export`: monitors with their names, tags, and notes, in the files of the app.
import { readFileSync, statSync } from 'node:fs';
import { notUnicode, type ReadText, readText } from '@rainbell/shared';
import { monitorsAsCsv, monitorsAsJson, planImport, type PlannedRow } from '@rainbell/contract/monitor-files';
import type { AppClient } from '@rainbell/contract/app-rpc';
import { AppFailure } from '@rainbell/core';
import { UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { serviceDetails, serviceOptions, serviceUsage } from '../session/credentials.ts';
import { exitCodes, type ExitCode } from '../terminal/exit-codes.ts';
import { type ServiceSession, withService } from '../session/service-session.ts';
import { readMonitors, requireReachablePort } from './monitors.ts';

const maxFileBytes = 8 * 1024 * 1024;
const formats = ['csv', 'json'] as const;
/** The pace of the requests is the limit (core/monitors/write-pace.ts). */
const parallelSteps = 32;

/** Runs each step, many at a time, until the signal aborts. What a service refuses is reported with `onFailed`. */
export async function runSteps<Step>(
  steps: readonly Step[],
  { signal, output }: Pick<CommandContext, 'signal' | 'output'>,
  what: string,
  run: (step: Step) => Promise<void>,
  onFailed: (step: Step, message: string) => void,
): Promise<void> {
  const queue = steps.values();
  let ended = 0;
  const lane = async () => {
    for (const step of queue) {
      if (signal.aborted) return;
      try {
        await run(step);
      } catch (error) {
        if (!(error instanceof AppFailure)) throw error;
        onFailed(step, error.message);
      }
      ended += 1;
      if (ended % 100 === 0) output.info(`${ended} of ${steps.length} ${what} done`);
    }
  };
  await Promise.all(Array.from({ length: parallelSteps }, lane));
}

const fileDetails =
  'CSV has the columns lat, lng, callback_uri, name, tags, note in any order; tags are separated by semicolons, and a\n' +
  'semicolon after a backslash is part of the tag. JSON has the format that export writes. An empty callback_uri, or\n' +
  '“this-app”, means this computer’s receiver.';

export const importMonitors: Command = {
  name: 'monitors import',
  usage: `FILE [--dry-run] [--port N] ${serviceUsage}`,
  summary: 'Create the monitors in a CSV or JSON file; skip existing ones',
  details: [
    fileDetails,
    'If a line has an error, nothing is sent.\n' +
      'Names, tags, and notes are stored in the app’s data folder, except for a service named with --base-url.',
    serviceDetails,
    'With --json: one object {create, skip, error, created, failed}, with line numbers; created includes the IDs.',
  ],
  options: {
    'dry-run': { words: 'print what would be done, and send nothing' },
    port: commonOptions.port,
    json: commonOptions.json,
    ...serviceOptions,
  },
  examples: ['monitors import monitors.csv --dry-run'],
  async run(given, context) {
    const [file = ''] = given.words;
    const text = readTextFile(file);
    const create = async ({ client, hasNotes }: ServiceSession) => {
      const existing = await readMonitors(client, context.output);
      const states = await client.monitors.deliveryStates();
      const monitorLimit = (states.isAvailable ? states.plan?.monitorLimit : undefined) ?? null;
      const rows = planImport(text, { existing, monitorLimit });
      if (given.isSet('dry-run') || rows.some(({ kind }) => kind === 'error')) return printPlan(given, context, rows);
      const wanted = rows.flatMap((row) => (row.kind === 'create' ? [row] : []));
      if (wanted.some(({ draft }) => draft.callback.kind === 'this-app')) await requireReachablePort(given);
      if (!hasNotes && wanted.some(({ notes }) => notes.name !== '' || notes.tags.length > 0 || notes.note !== ''))
        context.output.info(
          'Names, tags, and notes are skipped: they can be stored only for a connection saved in the app, which must be selected if the app is running.',
        );
      const result = await createAll(wanted, context, client);
      return printResult(given, context, rows, result);
    };
    return withService(given, context, create, { notes: true });
  },
};

export const exportMonitors: Command = {
  name: 'monitors export',
  usage: `[--format csv|json] ${serviceUsage}`,
  summary: 'Print the monitors as CSV or JSON; import can read both, apply only JSON',
  details: [fileDetails, serviceDetails],
  options: {
    format: { value: 'FORMAT', words: `one of ${formats.join(', ')} (default: csv)` },
    json: { words: 'the same as --format json' },
    ...serviceOptions,
  },
  examples: ['monitors export > monitors.csv', 'monitors export --format json > monitors.json'],
  async run(given, context) {
    const format = given.choice('format', formats) ?? (given.isSet('json') ? 'json' : 'csv');
    const write = format === 'csv' ? monitorsAsCsv : monitorsAsJson;
    const print = async ({ client }: ServiceSession) => {
      context.output.show(write(await readMonitors(client, context.output)));
      return exitCodes.done;
    };
    return withService(given, context, print, { notes: true });
  },
};

/** Reads a file of monitors. Throws UsageError if it can't be read, is larger than 8 MB, or is not Unicode. */
export function readTextFile(file: string): string {
  let read: ReadText | undefined;
  try {
    if (statSync(file).size <= maxFileBytes) read = readText(readFileSync(file));
  } catch (error) {
    throw new UsageError(`${file} can’t be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
  if (!read) throw new UsageError(`${file} is larger than ${maxFileBytes / 1024 / 1024} MB.`);
  if (read.isAnsi) throw new UsageError(`${file} ${notUnicode}`);
  return read.text;
}

type Wanted = PlannedRow & { kind: 'create' };
type Result = { created: { line: number; id: string }[]; failed: { line: number; message: string }[] };

async function createAll(wanted: readonly Wanted[], context: CommandContext, { monitors }: AppClient): Promise<Result> {
  const result: Result = { created: [], failed: [] };
  const create = async ({ line, draft, notes }: Wanted) => {
    const { id } = await monitors.create({ ...draft, notes });
    result.created.push({ line, id });
  };
  await runSteps(wanted, context, 'monitors', create, ({ line }, message) => result.failed.push({ line, message }));
  return { created: byLine(result.created), failed: byLine(result.failed) };
}

function byLine<Row extends { line: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => one.line - other.line);
}

/** What an import would do: exit code 2 if a line has an error. */
function printPlan(given: ParsedArguments, { output }: CommandContext, rows: readonly PlannedRow[]): ExitCode {
  if (given.isSet('json')) output.printJson({ ...countsOf(rows), created: [], failed: [] });
  else if (given.isSet('dry-run'))
    for (const row of rows) if (row.kind !== 'error') output.print(`line ${row.line}: ${row.kind}  ${row.cells}`);
  const errors = rows.flatMap((row) => (row.kind === 'error' ? [row] : []));
  for (const { line, message } of errors) output.info(`error: line ${line}: ${message}`);
  if (errors.length > 0) output.info('Nothing was sent.');
  return errors.length > 0 ? exitCodes.wrongUse : exitCodes.done;
}

function printResult(
  given: ParsedArguments,
  { output, signal }: CommandContext,
  rows: readonly PlannedRow[],
  { created, failed }: Result,
): ExitCode {
  if (given.isSet('json')) output.printJson({ ...countsOf(rows), created, failed });
  else for (const { line, id } of created) output.print(`${id}  line ${line}`);
  for (const { line, message } of failed) output.info(`error: line ${line}: ${message}`);
  const skipped = rows.filter(({ kind }) => kind === 'skip').length;
  output.info(`${created.length} created, ${skipped} skipped, ${failed.length} failed`);
  if (signal.aborted) return exitCodes.interrupted;
  return failed.length > 0 ? exitCodes.no : exitCodes.done;
}

function countsOf(rows: readonly PlannedRow[]): Record<PlannedRow['kind'], number> {
  const count = (kind: PlannedRow['kind']) => rows.filter((row) => row.kind === kind).length;
  return { create: count('create'), skip: count('skip'), error: count('error') };
}
