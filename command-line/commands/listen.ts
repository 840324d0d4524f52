// `rainbell listen`: one line per callback, until Ctrl+C.
import { isUtf8 } from 'node:buffer';
import { type AppClient, type Callback, type CallbackSummary, parseCallbackQuery } from '@rainbell/contract/app-rpc';
import { pick, readableHeaders } from '@rainbell/shared';
import { AppFailure, bodyFields, forwardUrl } from '@rainbell/core';
import { readDataFolder, readPort, UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { openArrivals } from '../session/arrivals.ts';
import { commonOptions, type Command } from '../terminal/command.ts';
import { serviceUsage } from '../session/credentials.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { feedDetails, feedOptions, prepareFeed, requireFeedFlags, watchFeed } from './feed.ts';
import { openListenKeys } from './listen-keys.ts';
import type { Output } from '../terminal/output.ts';

const printChoices = ['body', 'headers', 'all'] as const;
type PrintChoice = (typeof printChoices)[number];

export const listen: Command = {
  name: 'listen',
  usage: `[--filter QUERY] [--print body|headers|all] [--forward-to URL] [--feed] [--port N] [--quiet] ${serviceUsage}`,
  summary: 'Receive callbacks and print one line for each, until Ctrl+C',
  details: [
    'Each callback is stored in the app’s data folder before its response is sent; the app’s rules and limits apply.\n' +
      'If the app (or another listen or wait) is already running with the data folder, this command shows the callbacks\n' +
      'stored there, and starts listening when that process ends. While this command is listening, the app can’t start with\n' +
      'that data folder.',
    'In a terminal, ↑ and ↓ choose a callback, Enter shows its headers and body, r replays it (to the --forward-to URL,\n' +
      'otherwise to its original path here), c copies its body, and q quits. The keys don’t work with --json or --quiet, or in\n' +
      'pipes and scripts.',
    '--forward-to forwards each callback as received, and appends its path and query to the URL. The sender gets\n' +
      'its response from Rainbell, not from that URL.',
    'With --json: one object per line with id, receivedAt, method, target, monitorId, sender, eventType (each or null), verdict,\n' +
      'sizeBytes, answeredStatus, outcome, isByFeed, headers, and body (or bodyBase64 if it is not UTF-8).',
    feedDetails,
  ],
  options: {
    filter: { value: 'QUERY', words: 'only callbacks that match this query, as in the app’s search box' },
    print: { value: 'WHAT', words: `what to print below each line: ${printChoices.join(', ')}` },
    'forward-to': { value: 'URL', words: 'forward each callback to this http:// or https:// URL' },
    ...feedOptions,
    port: commonOptions.port,
    json: commonOptions.json,
    quiet: { words: 'print only errors' },
  },
  examples: ['listen --filter monitor:precipitation_12 --print body', 'listen --forward-to http://localhost:3000'],
  async run(given, context) {
    const { output, signal, openTerminal } = context;
    requireFeedFlags(given);
    const query = readQuery(given, 'filter') ?? '';
    const print = given.choice('print', printChoices);
    const target = readForwardTarget(given);
    const isQuiet = given.isSet('quiet');
    const isJson = given.isSet('json');
    const tell = isQuiet ? () => {} : output.info;
    const dataFolder = readDataFolder(given);
    const feed = await prepareFeed(given, context, dataFolder);
    try {
      const arrivals = await openArrivals({ dataFolder, port: readPort(given), context, tell, feed });
      const ending = new AbortController();
      const terminal = isQuiet || isJson ? undefined : openTerminal();
      const keys =
        terminal &&
        openListenKeys({
          terminal,
          output,
          get: (id) => arrivals.read((client) => wholeOf(client, id)),
          print: (whole, isWhole) =>
            printCallback(output, whole, { isJson: false, whole, ...(isWhole && { print: 'all' as const }) }),
          resend: (whole) => sendAgain(arrivals.client(), target, whole, { done: 'replayed', tell, output }),
          quit: () => ending.abort(),
        });
      try {
        const failed = feed && watchFeed(arrivals.client(), feed, tell, ending);
        for await (const callback of arrivals.settledUntil(AbortSignal.any([signal, ending.signal]), query)) {
          const whole = await arrivals.read((client) => wholeOf(client, callback.id));
          if (!isQuiet) printCallback(output, callback, { isJson, print, whole });
          keys?.add(callback);
          // One after the other, to preserve the order. An event received both ways is forwarded once.
          if (target && whole && !whole.refusal && !whole.hasOtherWay)
            await sendAgain(arrivals.client(), target, whole, { done: 'forwarded', tell, output });
        }
        ending.abort();
        await failed;
      } finally {
        keys?.close();
        await arrivals.close();
      }
    } finally {
      await feed?.close();
    }
    return exitCodes.done;
  },
};

/** Undefined if it was deleted in the meantime. */
export function wholeOf(client: AppClient, id: number): Promise<Callback | undefined> {
  return client.callbacks.get({ id }).catch((error: unknown) => {
    if (error instanceof AppFailure && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
}

type Printing = {
  isJson: boolean;
  print?: PrintChoice | undefined;
  /** Undefined if it was deleted in the meantime. */
  whole: Callback | undefined;
};

/** Prints one callback on stdout: a line with the requested parts below it, or one JSON object. */
export function printCallback(output: Output, callback: CallbackSummary, { isJson, print, whole }: Printing): void {
  const { id, receivedAt, method, target, monitorId, sizeBytes, outcome, isByFeed } = callback;
  const { sender = null, eventType = null, verdictName } = callback;
  if (isJson) {
    const parts = whole && { headers: readableHeaders(whole.headers), ...bodyFields(bodyOf(whole)) };
    output.printJson({
      ...pick(callback, 'id', 'receivedAt', 'method', 'target', 'monitorId'),
      sender,
      eventType,
      verdict: verdictName,
      ...pick(callback, 'sizeBytes', 'answeredStatus'),
      outcome: outcome.kind,
      isByFeed,
      ...parts,
    });
    return;
  }
  const outcomeText = formatOutcome(callback);
  const from = monitorId ?? [sender, eventType].filter(Boolean).join(' ');
  output.print(
    `${id}  ${receivedAt}  ${method} ${target}  ${from || 'unknown sender'}  ${sizeBytes} B  ${outcomeText}`,
  );
  if (!whole || print === undefined) return;
  if (print !== 'body') for (const [name, value] of readableHeaders(whole.headers)) output.print(`  ${name}: ${value}`);
  const body = bodyOf(whole);
  if (print !== 'headers' && body.length > 0) {
    const text = isUtf8(body) ? body.toString() : `(${body.length} bytes that are not UTF-8 text)`;
    for (const line of text.split(/\r\n|\n|\r/)) output.print(`  ${line}`);
  }
}

function bodyOf({ bodyBase64 }: Callback): Buffer {
  return Buffer.from(bodyBase64, 'base64');
}

function formatOutcome({ outcome, answeredStatus, refusal, isByFeed }: CallbackSummary): string {
  if (isByFeed) return 'from feed';
  switch (outcome.kind) {
    case 'answered':
      return `responded with ${answeredStatus}`;
    case 'closed':
      return 'closed by the sender before the response';
    case 'reset':
      return 'reset by the sender before the response';
    case 'aborted':
      return 'closed by a rule without a response';
    case 'dropped':
      return 'closed by the receiver without a response';
    case 'refused':
      return `refused (${refusal?.reason ?? 'unknown'})`;
    case 'waiting':
      return `no response yet (${answeredStatus} planned)`;
    case 'unrecorded':
      return 'outcome not recorded';
  }
}

/** To the forwarding target, otherwise to the receiver at the callback's own path, which does not count as another event. */
async function sendAgain(
  client: AppClient,
  to: ForwardTo | undefined,
  { id, target }: Callback,
  { done, tell, output }: { done: 'forwarded' | 'replayed'; tell: Output['info']; output: Output },
): Promise<void> {
  const fail = (reason: string) => output.info(`Callback ${id} was not ${done}: ${reason}`);
  try {
    const { outcome, tookMs } = await client.sends.replay({ id, url: to ? forwardUrl(to, target) : null });
    if (outcome.kind === 'answered') tell(`Callback ${id} ${done}: ${outcome.status} after ${Math.round(tookMs)} ms`);
    else fail(outcome.message);
  } catch (error) {
    // Its sender chose the path, and must not end this command.
    if (!(error instanceof AppFailure)) throw error;
    fail(error.message);
  }
}

/** Throws UsageError for a term that means nothing. */
export function readQuery(given: ParsedArguments, flag: string): string | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  return requireQuery(text, `--${flag}`);
}

/** Throws UsageError that begins with `what` for a term that means nothing. */
export function requireQuery(text: string, what: string): string {
  const [problem] = parseCallbackQuery(text).problems;
  const at = problem ? text.toLowerCase().indexOf(problem.term) + 1 : 0;
  if (problem)
    throw new UsageError(`${what}: “${problem.term}”${at > 0 ? ` at character ${at}` : ''}: ${problem.message}`);
  return text;
}

type ForwardTo = Parameters<typeof forwardUrl>[0];

function readForwardTarget(given: ParsedArguments): ForwardTo | undefined {
  const text = given.text('forward-to');
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (isPlain && ['http:', 'https:'].includes(url.protocol)) return { url: url.href, keepsPath: true };
  throw new UsageError(
    '--forward-to must be a full http:// or https:// URL without a query, a username, or a password.',
  );
}
