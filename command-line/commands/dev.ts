// `rainbell dev`: the loop that fixes a webhook handler. It relays requests to the handler and the handler's response to the sender, names
// the handler's bug, and checks again when the handler restarts.
import { formatInstant, isLoopback } from '@rainbell/shared';
import { writeFileSync } from 'node:fs';
import {
  type AppClient,
  type Callback,
  checkCaseIds,
  type CheckedCase,
  type HandlerDiagnosis,
} from '@rainbell/contract/app-rpc';
import { AppFailure, findRunningApp, formatReport, summaryLine } from '@rainbell/core';
import { type Arrivals, openArrivals } from '../session/arrivals.ts';
import { findSandbox } from '../session/service-session.ts';
import { readDataFolder, readPort, requireArguments, UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { exitCodes, type ExitCode } from '../terminal/exit-codes.ts';
import { watchPort } from './dev-watch.ts';
import { wholeOf } from './listen.ts';

const ruleName = 'rainbell dev';
const devPath = '/dev';
const holdMs = 30_000;
/** Where the sandbox's monitor of this command is. */
const place = { lat: 45.0703, lng: 7.6869 };
const help = 'Keys: r replays the last event with a new signature, c checks the handler, m makes it rain, q quits';

export const dev: Command = {
  name: 'dev',
  usage:
    '--to URL [--sender NAME] [--events N] [--junit FILE] [--yes] [--webhook-secret-stdin] [--port N] [--data DIR]',
  summary: 'Develop a webhook handler: relay events to it, name its bug, and check it again at each restart',
  details: [
    `Requests to ${devPath} on the receiver are relayed to the URL, and the handler’s response goes to the sender. The command\n` +
      'prints the secret to configure in the handler: that of the sandbox, or the one from RAINBELL_WEBHOOK_SECRET or\n' +
      '--webhook-secret-stdin. With --sender, sample events of that sender are signed with your secret.',
    'The handler is checked at the start, when it restarts, and when it begins to refuse events: Rainbell sends events with the\n' +
      'usual mistakes, and the one that the handler accepts names its bug.',
    help + '.',
    'With --events N, the command sends N events, checks the handler, and ends with 0 if every event got a 2xx response and\n' +
      'the check found nothing, otherwise with 1.',
  ],
  options: {
    to: { value: 'URL', words: 'the handler’s http:// or https:// URL' },
    sender: { value: 'NAME', words: 'whose events to send, such as stripe or github (default: rainbell)' },
    events: { value: 'N', words: 'send this many events, check the handler, and end' },
    junit: { value: 'FILE', words: 'write the result of each check to this file, in JUnit’s format' },
    yes: { words: 'send test events to a handler on another computer' },
    'webhook-secret-stdin': { words: 'read the secret from stdin' },
    port: commonOptions.port,
    data: commonOptions.data,
    help: commonOptions.help,
  },
  examples: [
    'dev --to http://localhost:3000/hook',
    'dev --to http://localhost:3000/hook --sender stripe --events 3 --junit report.xml',
  ],
  async run(given, context) {
    requireArguments(given, []);
    const to = readTarget(given);
    const named = given.text('sender') ?? 'rainbell';
    const sender = named === 'rainbell' ? null : named;
    const events = readEvents(given);
    const typed = await readTyped(given, context);
    if (sender !== null && typed === null)
      throw new UsageError(`Set RAINBELL_WEBHOOK_SECRET to the secret that your handler has for ${sender}.`);
    const dataFolder = readDataFolder(given);
    const running = await findRunningApp(dataFolder, 'command');
    const sandbox = running || sender !== null ? undefined : await findSandbox(dataFolder, running, context);
    running?.close();
    try {
      const feed = sandbox && { sandbox: sandbox.introduction, readsFeed: false };
      const arrivals = await openArrivals({
        dataFolder,
        port: readPort(given),
        context,
        tell: context.output.info,
        feed,
      });
      try {
        return await develop(arrivals, { to, sender, events, typed, junit: given.text('junit') }, context);
      } finally {
        await arrivals.close();
      }
    } finally {
      await sandbox?.close();
    }
  },
};

type Wanted = {
  to: URL;
  sender: string | null;
  events: number | undefined;
  typed: string | null;
  junit: string | undefined;
};

async function develop(arrivals: Arrivals, wanted: Wanted, context: CommandContext): Promise<ExitCode> {
  const { output, signal, openTerminal } = context;
  const client = arrivals.client();
  const terminal = wanted.events === undefined ? openTerminal() : undefined;
  const ownSecret = wanted.sender === null ? (await client.sandbox.webhookSecret()).secret : null;
  const secret = wanted.typed ?? ownSecret;
  if (secret === null)
    throw new UsageError(
      'The secret is missing: set RAINBELL_WEBHOOK_SECRET, or use a data folder whose app uses the sandbox.',
    );
  if (terminal) output.info(`Secret: ${secret}`);
  const { receiver } = await client.app.status();
  const url = `${receiver.baseUrl}${devPath}`;
  const monitorId = ownSecret === null ? null : await monitorAt(client, url);
  output.info(`Send events to ${url}. They are relayed to ${wanted.to.href}.`);
  const removeRule = await addRule(client);
  const ending = new AbortController();
  const checker = createChecker(client, { ...wanted, secret, monitorId }, context);
  const relayed = { ok: 0, failed: 0, lastId: 0, wasOk: undefined as boolean | undefined };
  const until = AbortSignal.any([signal, ending.signal]);
  const unwatch =
    wanted.events === undefined
      ? watchPort(wanted.to, context.clock, () => void checker.check('The handler restarted'))
      : () => {};
  const stopKeys = terminal?.listen((key) => {
    if (key === 'q') ending.abort();
    if (key === 'c') void checker.check('Checking');
    if (key === 'r') void attempt(output, () => replayLast(client, relayed.lastId, wanted.to, output));
    if (key === 'm') void attempt(output, () => rainAt(client, monitorId, output));
    if (key === '?' || key === 'h') output.info(help);
  });
  if (terminal) output.info(help);
  try {
    const following = follow(arrivals, until, async (id) => {
      const isOk = await relay(client, id, wanted.to, output);
      if (isOk === undefined) return;
      relayed.lastId = id;
      relayed[isOk ? 'ok' : 'failed'] += 1;
      if (wanted.events === undefined && isOk !== (relayed.wasOk ?? isOk))
        void checker.check('The handler’s response changed');
      relayed.wasOk = isOk;
      if (relayed.ok + relayed.failed === wanted.events) ending.abort();
    });
    if (wanted.events === undefined) void checker.check('Checking');
    for (let sent = 0; sent < (wanted.events ?? 0); sent += 1)
      void attempt(output, () => sendSample(client, { url, sender: wanted.sender, secret, monitorId })).then(
        (isSent) => {
          if (isSent) return;
          relayed.failed += 1;
          ending.abort();
        },
      );
    await following;
    if (signal.aborted) return exitCodes.interrupted;
    if (wanted.events === undefined) return exitCodes.done;
    const isRight = await checker.check('Checking');
    return isRight && relayed.failed === 0 ? exitCodes.done : exitCodes.no;
  } finally {
    stopKeys?.();
    unwatch();
    await removeRule();
  }
}

async function follow(arrivals: Arrivals, signal: AbortSignal, take: (id: number) => Promise<void>): Promise<void> {
  for await (const { id } of arrivals.until(signal, `path:${devPath}`)) await take(id);
}

/** Whether it was done; reports why not. */
async function attempt(output: CommandContext['output'], task: () => Promise<unknown>): Promise<boolean> {
  try {
    await task();
    return true;
  } catch (error) {
    if (!(error instanceof AppFailure)) throw error;
    output.info(error.message);
    return false;
  }
}

/** Requests to the path are held until the handler responds. A rule of the user that matches, too, comes first. */
async function addRule(client: AppClient): Promise<() => Promise<void>> {
  const others = async () => {
    const known = await client.rules.get();
    return { ...known, rules: known.rules.filter(({ name }) => name !== ruleName) };
  };
  const { rules, ...rest } = await others();
  await client.rules.replace({
    ...rest,
    rules: [...rules, { name: ruleName, path: `${devPath}*`, steps: [{ kind: 'hold', delayMs: holdMs }] }],
  });
  return async () =>
    void (await others()
      .then((known) => client.rules.replace(known))
      .catch(() => {}));
}

/** Headers of the connection between Rainbell and the handler. */
const ownHeaders = /^(connection|keep-alive|transfer-encoding|content-length|content-encoding|trailer|upgrade)$/i;

/** Whether the handler responded with 2xx; undefined for a replay. */
async function relay(
  client: AppClient,
  id: number,
  to: URL,
  output: CommandContext['output'],
): Promise<boolean | undefined> {
  const whole = await wholeOf(client, id);
  if (!whole?.target.startsWith(devPath) || whole.outcome.kind !== 'waiting') return undefined;
  const { outcome, tookMs } = await client.callbacks.replay({ id, url: targetFor(to, whole) });
  const answer =
    outcome.kind === 'answered'
      ? {
          status: outcome.status,
          headers: outcome.headers.filter(([name]) => !ownHeaders.test(name)).slice(0, 50),
          body: Buffer.from(outcome.bodyBase64, 'base64').toString(),
        }
      : { status: 502, headers: [], body: `${outcome.message}\n` };
  // The sender may have given up.
  await client.rules.respondToHeld({ callbackId: id, ...answer }).catch(() => {});
  const what = [whole.sender, whole.eventType ?? whole.monitorId].filter(Boolean).join(' ') || `${whole.sizeBytes} B`;
  const seen = outcome.kind === 'answered' ? `${outcome.status} after ${Math.round(tookMs)} ms` : outcome.message;
  output.print(`${id}  ${whole.method} ${whole.target}  ${what}  →  ${seen}`);
  const isOk = answer.status >= 200 && answer.status <= 299;
  if (!isOk && answer.body.trim() !== '')
    output.print(`    ${answer.body.trim().slice(0, 200).replaceAll(/\s+/g, ' ')}`);
  return isOk;
}

/** With what follows the path of this command, and the query. */
function targetFor(to: URL, { target }: Callback): string {
  const [path = '', query] = target.split(/\?(.*)/s, 2);
  const url = new URL(to);
  url.pathname = url.pathname.replace(/\/$/, '') + path.replace(/^.*?\/dev/, '');
  if (query !== undefined) url.search = query;
  return url.href;
}

async function replayLast(client: AppClient, id: number, to: URL, output: CommandContext['output']): Promise<void> {
  const whole = id === 0 ? undefined : await wholeOf(client, id);
  if (!whole) return output.info('No events yet');
  const { outcome, tookMs } = await client.callbacks.replay({ id, url: targetFor(to, whole), signing: 'new-id' });
  const seen = outcome.kind === 'answered' ? `${outcome.status} after ${Math.round(tookMs)} ms` : outcome.message;
  output.print(`${id}  replayed with a new signature  →  ${seen}`);
}

/** Returns the ID of the sandbox's monitor with this callback URL: an existing one, or a new one. */
async function monitorAt(client: AppClient, url: string): Promise<string> {
  const { monitors } = await client.monitors.list();
  const known = monitors.find(({ callbackUri }) => callbackUri === url);
  return (known ?? (await client.monitors.create({ geo: place, callback: { kind: 'address', uri: url } }))).id;
}

async function rainAt(client: AppClient, monitorId: string | null, output: CommandContext['output']): Promise<void> {
  if (monitorId === null) return output.info('Only the sandbox can make it rain.');
  const states = await client.monitors.deliveryStates();
  const next = states.isAvailable ? states.states.find((one) => one.monitorId === monitorId)?.nextAllowedAt : undefined;
  const { clock } = await client.sandbox.state();
  // Its clock moves past the cool-down.
  if (next && next > clock.now) await client.sandbox.moveClock({ kind: 'set', instant: next });
  await client.sandbox.addScenario({ center: place, minutes: 20, radiusKm: 30 });
  output.info('It rains in the sandbox.');
}

type Sample = { url: string; sender: string | null; secret: string; monitorId: string | null };

/** A test event of the sandbox, or a sample event of the sender. Its response is that of the handler. */
async function sendSample(client: AppClient, { url, sender, secret, monitorId }: Sample): Promise<void> {
  if (monitorId !== null) await client.monitors.sendTest({ id: monitorId });
  else {
    const { headers, bodyBase64 } = await client.endpointCheck.sample({ url, sender, secret });
    const body = Buffer.from(bodyBase64, 'base64');
    await fetch(url, {
      method: 'POST',
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body,
    }).catch(() => {});
  }
}

type Checked = Wanted & { secret: string; monitorId: string | null };

/** One check at a time. */
function createChecker(client: AppClient, { to, sender, secret, monitorId, junit }: Checked, context: CommandContext) {
  const { output, clock, signal } = context;
  let running = Promise.resolve(true);

  async function run(reason: string): Promise<boolean> {
    const startedAt = formatInstant(clock.now());
    const wanted = { url: to.href, isConfirmed: true, monitorId, secret } as const;
    const diagnosis = await client.endpointCheck.diagnose({ ...wanted, sender }, { signal });
    const cases: CheckedCase[] = [];
    // The twelve cases would fail for the same reason.
    for (const id of sender === null && isReachable(diagnosis) ? checkCaseIds : []) {
      // In order: some handlers take one request at a time.
      // oxlint-disable-next-line no-await-in-loop
      cases.push(await client.endpointCheck.runCase({ ...wanted, case: id }, { signal }));
    }
    const { problems, example } = diagnosis;
    const failed = cases.filter(({ result }) => result === 'failed').length;
    const isRight = problems.length === 0 && failed === 0;
    const counts = cases.length === 0 ? '' : ` ${summaryLine(cases)}.`;
    output.print(
      isRight ? `PASSED  ${reason}: no bug found.${counts}` : `FAILED  ${reason}: ${problems.length} found.${counts}`,
    );
    for (const { does, should } of problems) output.print(`    ${does} ${should}`);
    if (example) for (const line of ['A right handler:', ...example.split('\n')]) output.print(`    ${line}`);
    if (junit !== undefined)
      writeReport(junit, formatReport({ url: to.href, startedAt, cases, problems }, 'junit').text);
    return isRight;
  }

  async function runSafely(reason: string): Promise<boolean> {
    let isRight = false;
    await attempt(output, async () => (isRight = await run(reason))).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    return isRight;
  }

  return {
    /** After a check that runs. */
    check: (reason: string): Promise<boolean> => (running = running.then(() => runSafely(reason))),
  };
}

function isReachable({ attempts: [first] }: HandlerDiagnosis): boolean {
  const status = first?.status ?? 0;
  return status >= 200 && status <= 299;
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppFailure('STORAGE', `The report could not be written (${reason}). Choose another --junit.`);
  }
}

function readTarget(given: ParsedArguments): URL {
  const url = URL.parse(given.text('to') ?? '');
  if (given.text('to') === undefined) throw new UsageError('missing --to URL', { isAboutUsage: true });
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('--to must be a full http:// or https:// URL.');
  if (!isLoopback(url.hostname) && !given.isSet('yes'))
    throw new UsageError(`${url.host} is not on this computer. Add --yes to send test events there.`);
  return url;
}

function readEvents(given: ParsedArguments): number | undefined {
  const text = given.text('events');
  if (text === undefined) return undefined;
  if (/^\d{1,4}$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(`--events must be a whole number from 1 to 9999, not “${text}”.`);
}

async function readTyped(given: ParsedArguments, { environment, readLine }: CommandContext): Promise<string | null> {
  const text = given.isSet('webhook-secret-stdin') ? await readLine() : (environment['RAINBELL_WEBHOOK_SECRET'] ?? '');
  return text.trim() === '' ? null : text.trim();
}
