// `rainbell monitors plan FILE` and `apply FILE`: makes the application's monitors those of a file.
import { z } from 'zod';
import { formatSchemaError, normalUrl, parseCallbackAddress, plural } from '@rainbell/shared';
import { isDeepStrictEqual } from 'node:util';
import {
  anyGeoSchema,
  callbackUriLimit,
  isSamePlace,
  monitorOptions,
  optionsOf,
  optionsProblem,
} from '@rainbell/contract/service-api';
import type { AppClient, AppMonitor, CallbackTarget } from '@rainbell/contract/app-rpc';
import { MonitorIndex, thisApp } from '@rainbell/contract/monitor-files';
import { UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { serviceDetails, serviceOptions, serviceUsage } from '../session/credentials.ts';
import { confirm } from '../terminal/confirm.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { readTextFile, runSteps } from './monitor-files.ts';
import { withService } from '../session/service-session.ts';
import { readMonitors, requireReachablePort } from './monitors.ts';

const maxMonitors = 20_000;
/** `apply` deletes up to this many without asking. */
const unaskedDeletes = 10;

const fileSchema = z.object({
  monitors: z
    .array(
      z
        .object({
          id: z.string().max(200).optional(),
          geo: anyGeoSchema,
          callback_uri: z.string().min(1).max(callbackUriLimit),
          ...monitorOptions,
        })
        .superRefine((entry, context) => {
          const address = entry.callback_uri === thisApp ? undefined : parseCallbackAddress(entry.callback_uri);
          const problem = address?.ok === false ? address.problem : optionsProblem(entry);
          if (problem !== undefined) context.addIssue(`is not valid: ${problem.replace(/\.$/, '')}`);
        }),
    )
    .max(maxMonitors),
});
type WantedMonitor = z.infer<typeof fileSchema>['monitors'][number];

export type MonitorPlan = {
  create: WantedMonitor[];
  change: { from: AppMonitor; to: WantedMonitor }[];
  /** Those that the file does not have; deleted only with `--prune`. */
  surplus: AppMonitor[];
  unchanged: number;
};

const details = [
  'FILE is JSON in the app’s export format: {"monitors": [{"geo": {"lat": 45.07, "lng": 7.69}, "callback_uri": "https://…"}]}.\n' +
    `"${thisApp}" as callback_uri means this computer’s receiver. An entry matches the monitor with the same id, if there\n` +
    'is one; otherwise, one with the same location and callback URL. Names, tags, and notes belong to the app and don’t change.',
  serviceDetails,
  'Exit code 0: no changes, 1: changes made (plan: changes to make), 2: error.\n' +
    'With --json: one object {create, change, delete, unchanged, failed}.',
] as const;
const options = {
  prune: { words: 'delete the monitors that are not in the file' },
  json: commonOptions.json,
  port: commonOptions.port,
  ...serviceOptions,
};

const shared = { details, options, errorCode: exitCodes.wrongUse };

export const planMonitors: Command = {
  name: 'monitors plan',
  usage: `FILE [--prune] ${serviceUsage}`,
  summary: 'Print what apply would create, change, and delete, without changing anything',
  ...shared,
  examples: ['monitors plan monitors.json --prune'],
  async run(given, context) {
    const wanted = readWanted(given);
    const monitors = await withService(given, context, ({ client }) => readMonitors(client, context.output));
    const plan = planOf(wanted, monitors);
    printPlan(given, context, plan);
    return isEmpty(plan, given) ? exitCodes.done : exitCodes.no;
  },
};

export const applyMonitors: Command = {
  name: 'monitors apply',
  usage: `FILE [--prune] [--yes] ${serviceUsage}`,
  summary: 'Create and change monitors to match the file; a second run changes nothing',
  ...shared,
  options: { ...options, yes: { words: `delete more than ${unaskedDeletes} monitors without asking` } },
  examples: ['monitors apply monitors.json --prune'],
  async run(given, context) {
    const wanted = readWanted(given);
    if (wanted.some(({ callback_uri: uri }) => uri === thisApp)) await requireReachablePort(given);
    return withService(given, context, async ({ client }) => {
      const plan = planOf(wanted, await readMonitors(client, context.output));
      if (given.isSet('prune') && plan.surplus.length > unaskedDeletes)
        await confirm(given, context, `Delete ${plan.surplus.length} monitors that are not in the file?`);
      const result = await carryOut(plan, given, context, client);
      printPlan(given, context, plan, result);
      if (context.signal.aborted) return exitCodes.interrupted;
      if (result.failed.length > 0) return exitCodes.wrongUse;
      return isEmpty(plan, given) ? exitCodes.done : exitCodes.no;
    });
  },
};

function readWanted(given: ParsedArguments): WantedMonitor[] {
  const [file = ''] = given.words;
  const text = readTextFile(file);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const read = fileSchema.safeParse(json);
  if (read.success) return read.data.monitors;
  throw new UsageError(`${file}: ${formatSchemaError(read.error.issues[0], json, 'the file')}.`);
}

/** What turns the monitors of a service into those of the file. Each monitor stands for one entry at most. */
export function planOf(wanted: readonly WantedMonitor[], existing: readonly AppMonitor[]): MonitorPlan {
  const free = new Map(existing.map((monitor) => [monitor.id, monitor]));
  const plan: MonitorPlan = { create: [], change: [], surplus: [], unchanged: 0 };
  const unmatched = wanted.filter((entry) => {
    const same = entry.id === undefined ? undefined : free.get(entry.id);
    if (!same) return true;
    free.delete(same.id);
    if (isAsWanted(same, entry)) plan.unchanged += 1;
    else plan.change.push({ from: same, to: entry });
    return false;
  });
  const known = new MonitorIndex(free.values());
  const isFound = (entry: WantedMonitor, uri: string | null) => {
    for (const id of known.find(entry.geo, uri, optionsOf(entry))) if (free.delete(id)) return true;
    return false;
  };
  // A monitor whose URL the service does not return may be any at its location, and a further one would be created at each run.
  const missing = unmatched.filter((entry) => !isFound(entry, entry.callback_uri));
  plan.create = missing.filter((entry) => !isFound(entry, null));
  plan.unchanged += unmatched.length - plan.create.length;
  plan.surplus = [...free.values()];
  return plan;
}

function isAsWanted(monitor: AppMonitor, wanted: WantedMonitor): boolean {
  const { geo, callback_uri: uri } = wanted;
  const { callbackUri, toThisApp } = monitor;
  if (!isDeepStrictEqual(monitor.options, optionsOf(wanted))) return false;
  const isSameUrl = (toThisApp && uri === thisApp) || normalUrl(callbackUri ?? '') === normalUrl(uri);
  return isSameUrl && isSamePlace(monitor.geo, geo);
}

function isEmpty({ create, change, surplus }: MonitorPlan, given: ParsedArguments): boolean {
  return create.length + change.length === 0 && (surplus.length === 0 || !given.isSet('prune'));
}

type StepKind = 'create' | 'change' | 'delete';
type ApplyResult = { done: Record<StepKind, number>; failed: { what: string; message: string }[] };

/** Runs every step separately: failures are reported at the end, and the next run tries them again. */
async function carryOut(
  plan: MonitorPlan,
  given: ParsedArguments,
  context: CommandContext,
  { monitors }: AppClient,
): Promise<ApplyResult> {
  const steps: { kind: StepKind; what: string; run: () => Promise<unknown> }[] = [
    ...plan.create.map((entry) => ({
      kind: 'create' as const,
      what: describe(entry),
      run: () => monitors.create({ geo: entry.geo, callback: targetOf(entry), options: optionsOf(entry) }),
    })),
    ...plan.change.map(({ from, to }) => ({
      kind: 'change' as const,
      what: from.id,
      run: () => monitors.update({ id: from.id, changes: changesOf(from, to), readBack: false }),
    })),
    ...(given.isSet('prune') ? plan.surplus : []).map(({ id }) => ({
      kind: 'delete' as const,
      what: id,
      run: () => monitors.delete({ id }),
    })),
  ];
  const result: ApplyResult = { done: { create: 0, change: 0, delete: 0 }, failed: [] };
  await runSteps(
    steps,
    context,
    'steps',
    async ({ kind, run }) => {
      await run();
      result.done[kind] += 1;
    },
    ({ kind, what }, message) => result.failed.push({ what: `${kind} ${what}`, message }),
  );
  return result;
}

function changesOf(from: AppMonitor, to: WantedMonitor) {
  const options = optionsOf(to);
  const isSame = isDeepStrictEqual(from.options, options);
  return { geo: to.geo, callback: targetOf(to), ...(isSame ? {} : { options: options ?? {} }) };
}

function targetOf({ callback_uri: uri }: WantedMonitor): CallbackTarget {
  return uri === thisApp ? { kind: 'this-app' } : { kind: 'address', uri };
}

function describe({ geo, callback_uri: uri }: WantedMonitor): string {
  return `${geo.lat}, ${geo.lng} → ${uri}`;
}

function printPlan(given: ParsedArguments, { output }: CommandContext, plan: MonitorPlan, result?: ApplyResult): void {
  const isPruned = given.isSet('prune');
  const { create, change, surplus, unchanged } = plan;
  if (given.isSet('json')) {
    output.printJson({
      create,
      change: change.map(({ from, to }) => ({ ...to, id: from.id })),
      delete: isPruned ? surplus.map(({ id }) => id) : [],
      unchanged,
      failed: result?.failed ?? [],
    });
    return;
  }
  for (const entry of create) output.print(`+ create  ${describe(entry)}`);
  for (const { from, to } of change) output.print(`~ change  ${from.id}  ${describe(to)}`);
  if (isPruned) for (const { id } of surplus) output.print(`- delete  ${id}`);
  for (const { what, message } of result?.failed ?? []) output.info(`error: Couldn’t ${what}: ${message}`);
  if (result) {
    const { done, failed } = result;
    output.info(
      `${done.create} created, ${done.change} changed, ${done.delete} deleted, ${unchanged} unchanged, ${failed.length} failed`,
    );
  } else {
    const deletions = isPruned ? surplus.length : 0;
    output.info(
      `${create.length} to create, ${change.length} to change, ${deletions} to delete, ${unchanged} unchanged`,
    );
  }
  if (surplus.length > 0 && !isPruned) {
    output.info(
      plural(surplus.length, [
        '# monitor is not in the file; --prune deletes it.',
        '# monitors are not in the file; --prune deletes them.',
      ]),
    );
  }
}
