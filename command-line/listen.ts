// `rainbell listen`: one line per callback, until Ctrl-C.
import { answerLimitBytes } from '#contract/app-rpc/callback-sends.ts';
import { parseCallbackQuery, type CallbackQuery } from '#contract/app-rpc/callback-query.ts';
import type { StoredCallback, StoredSummary } from '#core/receiver/callback-pages.ts';
import { createSendGuard } from '#core/callbacks/send-guard.ts';
import { createRequestSender, type RequestSender } from '#core/callbacks/send-request.ts';
import { readAddressFile } from '#core/hosting/address-file.ts';
import { readDataFolder, readPort, requireArguments, UsageError, type ParsedArguments } from './arguments.ts';
import { openArrivals } from './arrivals.ts';
import { readSelectedTransport } from './saved-connection.ts';
import { commonOptions, type Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';

const printChoices = ['body', 'headers', 'all'] as const;
type PrintChoice = (typeof printChoices)[number];

export const listen: Command = {
  name: 'listen',
  usage: '[--filter QUERY] [--print body|headers|all] [--forward-to URL] [--port N] [--json] [--quiet] [--data DIR]',
  summary: 'Receives callbacks and prints one line for each, until Ctrl-C.',
  details: [
    '  Every callback is on disk before it is answered, in the same store as the app’s, by the same rules and limits.\n' +
      '  Where the app (or another listen or wait) already runs with the data folder, this one follows what it stores\n' +
      '  instead, and takes over when it ends. While this command listens, the app does not start on the folder.',
    '  --forward-to sends each callback on as it came, with its path and query after the path of the URL. The sender gets\n' +
      '  its answer from Rainbell, not from there.',
    '  With --json: one object per line with id, receivedAt, method, target, monitorId (or null), sizeBytes, answeredStatus,\n' +
      '  outcome, headers, and body (or bodyBase64 if it is not UTF-8).',
  ],
  options: {
    filter: { value: 'QUERY', words: 'only what this query of the app’s search box finds' },
    print: { value: 'WHAT', words: `what to print below each line: ${printChoices.join(', ')}` },
    'forward-to': { value: 'URL', words: 'send each callback on to this http:// or https:// address' },
    port: commonOptions.port,
    json: commonOptions.json,
    quiet: { words: 'print nothing but errors' },
    data: commonOptions.data,
    help: commonOptions.help,
  },
  async run(given, { clock, output, signal, workers }) {
    requireArguments(given, []);
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
    try {
      for await (const callback of arrivals.settledUntil(signal)) {
        if (filter && !arrivals.store.fits(filter, callback.id)) continue;
        const whole = arrivals.store.get(callback.id);
        if (!isQuiet) printCallback(output, callback, { isJson: given.isSet('json'), print, whole });
        if (target && whole && !whole.refusal) await forward({ sender, target, whole, output, tell });
      }
    } finally {
      await arrivals.close();
      await sender.close();
    }
    return exitCodes.done;
  },
};

type Printing = {
  isJson: boolean;
  print?: PrintChoice | undefined;
  /** Undefined if it was deleted meanwhile. */
  whole: StoredCallback | undefined;
};

/** One callback on stdout: a line with what was asked for below it, or one JSON object. */
export function printCallback(output: Output, callback: StoredSummary, { isJson, print, whole }: Printing): void {
  const { id, receivedAt, method, target, monitorId, sizeBytes, answeredStatus, outcome } = callback;
  if (isJson) {
    const parts = whole && { headers: whole.headers, ...bodyMember(whole.body) };
    output.printJson({
      id,
      receivedAt,
      method,
      target,
      monitorId,
      sizeBytes,
      answeredStatus,
      outcome: outcome.kind,
      ...parts,
    });
    return;
  }
  const answer = formatOutcome(callback);
  output.print(`${id}  ${receivedAt}  ${method} ${target}  ${monitorId ?? 'no monitor'}  ${sizeBytes} B  ${answer}`);
  if (!whole || print === undefined) return;
  if (print !== 'body') for (const [name, value] of whole.headers) output.print(`  ${name}: ${value}`);
  if (print !== 'headers' && whole.body.length > 0) {
    for (const line of whole.body.toString('utf8').split(/\r\n|\n|\r/)) output.print(`  ${line}`);
  }
}

function formatOutcome({ outcome, answeredStatus, refusal }: StoredSummary): string {
  switch (outcome.kind) {
    case 'answered':
      return `answered ${answeredStatus}`;
    case 'closed':
      return 'closed by the sender before the response';
    case 'reset':
      return 'reset by the sender before the response';
    case 'aborted':
      return 'closed without a response by a rule';
    case 'dropped':
      return 'closed without a response by the receiver';
    case 'refused':
      return `refused (${refusal?.reason ?? 'unknown'})`;
    case 'waiting':
      return `not answered yet (${answeredStatus} planned)`;
    case 'unrecorded':
      return 'outcome not recorded';
  }
}

function bodyMember(body: Buffer): { body: string } | { bodyBase64: string } {
  try {
    return { body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body) };
  } catch {
    return { bodyBase64: body.toString('base64') };
  }
}

type Forwarding = {
  sender: RequestSender;
  target: URL;
  whole: StoredCallback;
  output: Output;
  tell: (sentence: string) => void;
};

/** One after the other, so that the order stays; what fails is said and not repeated. */
async function forward({ sender, target, whole, output, tell }: Forwarding): Promise<void> {
  const { id, method, headers, body, target: path } = whole;
  const url = forwardAddress(target, path);
  const { outcome, tookMs } = await sender.send({ method, url, headers, body }, answerLimitBytes);
  if (outcome.kind === 'answered') tell(`Callback ${id} forwarded: ${outcome.status} after ${Math.round(tookMs)} ms`);
  else output.info(`Callback ${id} was not forwarded: ${outcome.message}`);
}

function forwardAddress(base: URL, path: string): string {
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
  const query = parseCallbackQuery(text);
  const [problem] = query.problems;
  if (problem) throw new UsageError(`--${flag}: “${problem.term}”: ${problem.message}`);
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
  throw new UsageError('--forward-to must be a full http:// or https:// address without a query.');
}
