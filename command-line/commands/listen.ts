// `rainbell listen`: one line per callback, until Ctrl+C.
import { isUtf8 } from 'node:buffer';
import { type CallbackQuery, parseCallbackQuery, responseLimitBytes } from '@rainbell/contract/app-rpc';
import { readableHeaders } from '@rainbell/shared';
import {
  bodyFields,
  createRequestSender,
  createSendGuard,
  originForm,
  readAddressFile,
  type RequestSender,
  type StoredCallback,
  type StoredSummary,
} from '@rainbell/core';
import { readDataFolder, readPort, requireArguments, UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { openArrivals } from '../session/arrivals.ts';
import { readSelectedTransport } from '../session/saved-connection.ts';
import { commonOptions, type Command } from '../terminal/command.ts';
import { serviceUsage } from '../session/credentials.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { feedDetails, feedOptions, openFeed, type OpenFeed, requireFeedFlags } from './feed.ts';
import { openListenKeys } from './listen-keys.ts';
import type { Output } from '../terminal/output.ts';
import { ownUrl, replayMark } from './replay.ts';

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
    'With --json: one object per line with id, receivedAt, method, target, monitorId (or null), sizeBytes, answeredStatus,\n' +
      'outcome, isByFeed, headers, and body (or bodyBase64 if it is not UTF-8).',
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
    help: commonOptions.help,
  },
  examples: ['listen --filter monitor:precipitation_12 --print body', 'listen --forward-to http://localhost:3000'],
  async run(given, context) {
    const { clock, output, signal, workers, openTerminal } = context;
    requireArguments(given, []);
    requireFeedFlags(given);
    const filter = readQuery(given, 'filter');
    const print = readPrint(given);
    const target = readForwardTarget(given);
    const isQuiet = given.isSet('quiet');
    const tell = isQuiet ? () => {} : output.info;
    const dataFolder = readDataFolder(given);
    const arrivals = await openArrivals({ dataFolder, port: readPort(given), clock, workers, tell });
    const service = readAddressFile(dataFolder)?.service;
    const guard = createSendGuard({ adminPorts: () => (service ? [Number(new URL(service).port)] : []) });
    const transport = readSelectedTransport(dataFolder);
    const sender = createRequestSender({ clock, guard, authority: () => undefined, transport: () => transport });
    const quitting = new AbortController();
    const isJson = given.isSet('json');
    const terminal = isQuiet || isJson ? undefined : openTerminal();
    const keys =
      terminal &&
      openListenKeys({
        terminal,
        output,
        get: (id) => arrivals.store.get(id),
        print: (whole, isWhole) =>
          printCallback(output, whole, { isJson: false, whole, ...(isWhole && { print: 'all' as const }) }),
        resend: (whole) => resend({ sender, dataFolder, target, whole, output }),
        quit: () => quitting.abort(),
      });
    let feed: OpenFeed | undefined;
    const failure: { error?: unknown } = {};
    try {
      feed = await openFeed(given, context, arrivals, tell);
      feed.failed.catch((error: unknown) => {
        failure.error = error;
        quitting.abort();
      });
      for await (const callback of arrivals.settledUntil(AbortSignal.any([signal, quitting.signal]))) {
        if (filter && !arrivals.store.fits(filter, callback.id)) continue;
        const whole = arrivals.store.get(callback.id);
        if (!isQuiet) printCallback(output, callback, { isJson, print, whole });
        keys?.add(callback);
        // An event received both ways is forwarded once.
        const isForwarded = target && whole && !whole.refusal && !arrivals.store.hasOtherWay(whole);
        if (isForwarded) await forward({ sender, target, whole, output, tell });
      }
      if (failure.error !== undefined) throw failure.error;
    } finally {
      keys?.close();
      await feed?.close();
      await arrivals.close();
      await sender.close();
    }
    return exitCodes.done;
  },
};

type Printing = {
  isJson: boolean;
  print?: PrintChoice | undefined;
  /** Undefined if it was deleted in the meantime. */
  whole: StoredCallback | undefined;
};

/** Prints one callback on stdout: a line with the requested parts below it, or one JSON object. */
export function printCallback(output: Output, callback: StoredSummary, { isJson, print, whole }: Printing): void {
  const { id, receivedAt, method, target, monitorId, sizeBytes, answeredStatus, outcome, isByFeed } = callback;
  if (isJson) {
    const parts = whole && { headers: readableHeaders(whole.headers), ...bodyFields(whole.body) };
    output.printJson({
      id,
      receivedAt,
      method,
      target,
      monitorId,
      sizeBytes,
      answeredStatus,
      outcome: outcome.kind,
      isByFeed,
      ...parts,
    });
    return;
  }
  const outcomeText = formatOutcome(callback);
  output.print(
    `${id}  ${receivedAt}  ${method} ${target}  ${monitorId ?? 'no monitor'}  ${sizeBytes} B  ${outcomeText}`,
  );
  if (!whole || print === undefined) return;
  if (print !== 'body') for (const [name, value] of readableHeaders(whole.headers)) output.print(`  ${name}: ${value}`);
  if (print !== 'headers' && whole.body.length > 0) {
    const text = isUtf8(whole.body) ? whole.body.toString() : `(${whole.body.length} bytes that are not UTF-8 text)`;
    for (const line of text.split(/\r\n|\n|\r/)) output.print(`  ${line}`);
  }
}

function formatOutcome({ outcome, answeredStatus, refusal, isByFeed }: StoredSummary): string {
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

type Resending = {
  sender: RequestSender;
  dataFolder: string;
  target: URL | undefined;
  whole: StoredCallback;
  output: Output;
};

type Forwarding = {
  sender: RequestSender;
  target: URL;
  whole: StoredCallback;
  output: Output;
  tell: (sentence: string) => void;
};

/** One after the other, to preserve the order; failures are reported and not retried. */
async function forward({ sender, target, whole, output, tell }: Forwarding): Promise<void> {
  const { id, method, headers, body, target: path } = whole;
  const url = forwardAddress(target, path);
  const { outcome, tookMs } = await sender.send({ method, url, headers, body }, responseLimitBytes);
  if (outcome.kind === 'answered') tell(`Callback ${id} forwarded: ${outcome.status} after ${Math.round(tookMs)} ms`);
  else output.info(`Callback ${id} was not forwarded: ${outcome.message}`);
}

/**
 * Sends to the forwarding target, otherwise to the receiver at the callback's own path, which does not count as another event.
 */
async function resend({ sender, dataFolder, target, whole, output }: Resending): Promise<void> {
  const { id, method, headers, body, refusal } = whole;
  if (refusal) {
    output.info(`Request ${id} was refused before it was complete, so it can’t be replayed.`);
    return;
  }
  const url = target
    ? forwardAddress(target, whole.target)
    : ownUrl(readAddressFile(dataFolder)?.receiver, whole.target);
  const marked = target ? headers : [...headers, replayMark(id)];
  const { outcome, tookMs } = await sender.send({ method, url, headers: marked, body }, responseLimitBytes);
  if (outcome.kind === 'answered')
    output.info(`Replayed callback ${id}: ${outcome.status} after ${Math.round(tookMs)} ms`);
  else output.info(`Couldn’t replay callback ${id}: ${outcome.message}`);
}

function forwardAddress(base: URL, target: string): string {
  const path = originForm(target);
  const url = new URL(base);
  const [pathname = '', query] = path.startsWith('/') ? path.split(/\?(.*)/s, 2) : ['/'];
  url.pathname = `${base.pathname.replace(/\/$/, '')}${pathname}`;
  if (query !== undefined) url.search = query;
  return url.href;
}

/** Throws UsageError for a term that means nothing. */
export function readQuery(given: ParsedArguments, flag: string): CallbackQuery | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  return readQueryText(text, `--${flag}`);
}

/** Throws UsageError that begins with `what` for a term that means nothing. */
export function readQueryText(text: string, what: string): CallbackQuery {
  const query = parseCallbackQuery(text);
  const [problem] = query.problems;
  if (problem) throw new UsageError(`${what}: “${problem.term}”: ${problem.message}`);
  return query;
}

function readPrint(given: ParsedArguments): PrintChoice | undefined {
  const text = given.text('print');
  const choice = printChoices.find((known) => known === text);
  if (choice || text === undefined) return choice;
  throw new UsageError(`--print must be one of ${printChoices.join(', ')}, not “${text}”.`);
}

function readForwardTarget(given: ParsedArguments): URL | undefined {
  const text = given.text('forward-to');
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.search && !url.hash) return url;
  throw new UsageError('--forward-to must be a full http:// or https:// URL without a query.');
}
