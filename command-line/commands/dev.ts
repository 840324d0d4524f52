// `rainbell dev`: the loop that fixes a webhook handler (core/endpoint-check/handler-session.ts), in a terminal.
import { isLoopback } from '@rainbell/shared';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppClient, HandlerEntry } from '@rainbell/contract/app-rpc';
import { AppFailure, deepLinkScheme, findRunningApp, reportFormats } from '@rainbell/core';
import { openArrivals } from '../session/arrivals.ts';
import { readTyped, writeReport } from './check.ts';
import { findSandbox } from '../session/service-session.ts';
import { readDataFolder, readPort, UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { exitCodes, type ExitCode } from '../terminal/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';

const help =
  'Keys: r replay signed, e edit and send signed, c check, m make it rain or send a sample, o open the app, q quit';

export const dev: Command = {
  name: 'dev',
  usage:
    '--to URL [--sender NAME] [--events N] [--junit FILE] [--yes] [--webhook-secret-stdin] [--port N] [--data DIR]',
  summary: 'Develop a webhook handler: relay events to it, name its bug, and check it again at each restart',
  details: [
    'Requests to /dev on the receiver are relayed to the URL, and the handler’s response goes to the sender. The command\n' +
      'prints the secret to configure in the handler: that of the sandbox, or the one from RAINBELL_WEBHOOK_SECRET or\n' +
      '--webhook-secret-stdin. With --sender, sample events of that sender are signed with your secret.',
    'The handler is checked at the start, when it restarts, and when it begins to refuse events: Rainbell sends events with the\n' +
      'usual mistakes, and the one that the handler accepts names its bug.',
    `${help}. e uses $VISUAL or $EDITOR.`,
    'With --events N, the command checks the handler, sends N events, and ends with 0 if every event got a 2xx response and\n' +
      'the check found nothing, otherwise with 1.',
  ],
  options: {
    to: { value: 'URL', words: 'the handler’s http:// or https:// URL' },
    sender: { value: 'NAME', words: 'whose events to send, such as stripe or github (default: rainbell)' },
    events: { value: 'N', words: 'check the handler, send this many events, and end' },
    junit: { value: 'FILE', words: 'write the result of each check to this file, in JUnit’s format' },
    yes: { words: 'send test events to a handler on another computer' },
    'webhook-secret-stdin': { words: 'read the secret from stdin' },
    port: commonOptions.port,
    data: commonOptions.data,
  },
  examples: [
    'dev --to http://localhost:3000/hook',
    'dev --to http://localhost:3000/hook --sender stripe --events 3 --junit report.xml',
  ],
  async run(given, context) {
    const url = readTarget(given).href;
    const named = given.text('sender') ?? 'rainbell';
    const sender = named === 'rainbell' ? null : named;
    const events = given.whole('events', 1, 9999);
    const secret = await readTyped(given, context);
    if (sender !== null && secret === null)
      throw new UsageError(`Set RAINBELL_WEBHOOK_SECRET to the secret that your handler has for ${sender}.`);
    const dataFolder = readDataFolder(given);
    const running = await findRunningApp(dataFolder, 'command');
    const sandbox = running || secret !== null ? undefined : await findSandbox(dataFolder, running, context);
    running?.close();
    try {
      const feed = sandbox && { sandbox: sandbox.introduction, readsFeed: false };
      const tell = context.output.info;
      const arrivals = await openArrivals({ dataFolder, port: readPort(given), context, tell, feed });
      try {
        const client = arrivals.client();
        return await develop(client, { url, sender, secret, events, junit: given.text('junit') }, context);
      } finally {
        await arrivals.close();
      }
    } finally {
      await sandbox?.close();
    }
  },
};

type Wanted = {
  url: string;
  sender: string | null;
  /** Null for the sandbox's. */
  secret: string | null;
  events: number | undefined;
  junit: string | undefined;
};

async function develop(client: AppClient, wanted: Wanted, context: CommandContext): Promise<ExitCode> {
  const { url, sender, secret, events } = wanted;
  const { output, signal } = context;
  const { id, receiverUrl } = await client.handler.start({ url, sender, secret });
  const terminal = events === undefined ? context.openTerminal() : undefined;
  if (terminal) {
    const shown = secret ?? (await client.sandbox.webhookSecret()).secret;
    output.info(`Secret: ${shown ?? 'that of the connection in use'}`);
    output.info(help);
  }
  output.info(`Send events to ${receiverUrl}. They are relayed to ${url}.`);
  const ending = new AbortController();
  const until = AbortSignal.any([signal, ending.signal]);
  const keys = terminal && openKeys({ client, terminal, context, quit: () => ending.abort() });
  let printed = 0;
  let example: string | null = null;
  let isRight = false;
  let sending: Promise<void> | undefined;
  let areSent = true;
  try {
    for await (const { topic } of await client.app.notices(undefined, { signal: until })) {
      if (topic !== 'handler' || keys?.isEditing()) continue;
      const { session } = await client.handler.state();
      if (session?.id !== id) {
        output.info('It was ended or started again in the app.');
        break;
      }
      for (const entry of session.entries.filter(({ number }) => number > printed)) {
        printed = entry.number;
        // The example would be repeated at each check.
        printEntry(
          entry.kind === 'checked' && entry.example === example ? { ...entry, example: null } : entry,
          wanted,
          output,
        );
        if (entry.kind === 'relayed') keys?.setLast(entry.callbackId);
        if (entry.kind !== 'checked') continue;
        ({ isRight, example } = entry);
        if (events !== undefined)
          sending ??= sendEvents(client, events, output).then((isDone) => {
            areSent = isDone;
            if (!isDone) ending.abort();
          });
      }
      if (session.accepted + session.refused >= (events ?? Infinity)) {
        isRight &&= session.refused === 0;
        break;
      }
    }
  } catch (error) {
    if (!until.aborted) throw error;
  } finally {
    keys?.close();
    if ((await client.handler.state()).session?.id === id) await client.handler.stop();
  }
  if (signal.aborted) return exitCodes.interrupted;
  return events === undefined || (isRight && areSent) ? exitCodes.done : exitCodes.no;
}

/** One after the other; whether all were sent. */
async function sendEvents(client: AppClient, count: number, output: CommandContext['output']): Promise<boolean> {
  for (let sent = 0; sent < count; sent += 1) {
    if (!(await attempt(output, () => client.handler.sendEvent()))) return false;
  }
  return true;
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

function printEntry(entry: HandlerEntry, { url, junit }: Wanted, output: CommandContext['output']): void {
  if (entry.kind === 'note') return output.info(entry.text);
  if (entry.kind === 'relayed') {
    const { callbackId, isReplay, request, response, excerpt } = entry;
    output.print(`${callbackId}  ${isReplay ? 'replayed with a new signature' : request}  →  ${response}`);
    if (excerpt !== '') output.print(`    ${excerpt}`);
    return;
  }
  const { startedAt, isRight, summary, problems, example, cases } = entry;
  output.print(`${isRight ? 'PASSED' : 'FAILED'}  ${summary}`);
  for (const { does, should } of problems) output.print(`    ${does} ${should}`);
  if (example) for (const line of ['A right handler:', ...example.split('\n')]) output.print(`    ${line}`);
  if (junit === undefined) return;
  writeReport(junit, reportFormats.junit({ url, startedAt, cases, problems }));
}

type KeyOptions = { client: AppClient; terminal: Terminal; context: CommandContext; quit: () => void };

function openKeys({ client, terminal, context, quit }: KeyOptions) {
  const { output } = context;
  let last: number | undefined;
  let isEditing = false;
  const replay = async (edit?: (body: Buffer) => Promise<Buffer | undefined>) => {
    if (last === undefined) return output.info('No events yet');
    const { bodyBase64 } = await client.callbacks.get({ id: last });
    const body = edit ? await edit(Buffer.from(bodyBase64, 'base64')) : null;
    if (body === undefined) return output.info('Not sent: the editor failed. Set $EDITOR to one that waits.');
    await client.handler.replay({ callbackId: last, bodyBase64: body?.toString('base64') ?? null });
  };
  const edit = async (body: Buffer) => {
    stopKeys();
    isEditing = true;
    try {
      return await editText(body, context.environment);
    } finally {
      isEditing = false;
      stopKeys = terminal.listen(onKey);
    }
  };
  const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
    r: () => replay(),
    e: () => replay(edit),
    c: () => client.handler.check(),
    m: async () =>
      (await client.handler.state()).session?.canRain ? client.handler.rain() : client.handler.sendEvent(),
    o: () => openApp(client, output),
  };
  const onKey = (key: string) => {
    const task = tasks[key];
    if (key === 'q') quit();
    else if (task) void attempt(output, task);
    else if (key === '?' || key === 'h') output.info(help);
  };
  let stopKeys = terminal.listen(onKey);
  return {
    isEditing: () => isEditing,
    setLast: (id: number) => void (last = id),
    close: () => stopKeys(),
  };
}

/** Undefined if the editor failed. */
async function editText(body: Buffer, environment: CommandContext['environment']): Promise<Buffer | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-edit-'));
  const file = join(folder, 'body.json');
  try {
    writeFileSync(file, body, { mode: 0o600 });
    const editor = environment['VISUAL'] || environment['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi');
    // An editor may have arguments, as in `code --wait`.
    const child = spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true });
    const [code] = (await once(child, 'close')) as [number | null];
    return code === 0 ? readFileSync(file) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The screen that shows the same, in the running app. */
async function openApp({ app }: AppClient, output: CommandContext['output']): Promise<void> {
  const isDesktop = (await app.status()).host === 'electron';
  const link = isDesktop
    ? `${deepLinkScheme}://handler`
    : await app.newAddress({ hash: '#/handler' }).then(
        ({ url }) => url,
        () => undefined,
      );
  if (link === undefined)
    return output.info(
      'The app isn’t running with this data folder. Quit, start the app, and start this command again.',
    );
  output.info(`Opening ${link}`);
  // Only an installed app opens its links.
  if (isDesktop) output.info('If nothing opens, choose “Develop a handler” on the app’s Callbacks screen.');
  const opener = { darwin: 'open', win32: 'explorer' }[String(process.platform)] ?? 'xdg-open';
  spawn(opener, [link], { stdio: 'ignore', detached: true }).on('error', () => {});
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
