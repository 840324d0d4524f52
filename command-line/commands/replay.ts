// `rainbell replay`: sends stored callbacks again, as received or signed afresh: one, one many times, or all that a query finds.
import { plural } from '@rainbell/shared';
import { type AppClient, isAccepted, maxReplays, type ReplayResult } from '@rainbell/contract/app-rpc';
import { AppFailure, runReplay } from '@rainbell/core';
import { type ParsedArguments, readDataFolder, requireArguments, UsageError } from '../terminal/arguments.ts';
import { withStored } from '../session/app-session.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { exitCodes, type ExitCode } from '../terminal/exit-codes.ts';
import type { Output } from '../terminal/output.ts';
import { readDuration } from '../terminal/read-time.ts';
import { missingSecret, readTyped } from './check.ts';
import { readQuery } from './listen.ts';

export const replay: Command = {
  name: 'replay',
  usage:
    '[ID] [--query QUERY] [--to URL] [--times N] [--delay TIME] [--sign] [--new-id] [--sender SENDER] [--webhook-secret-stdin] [--json] [--data DIR]',
  summary: 'Replay stored callbacks, as received or signed afresh, and print each response',
  details: [
    'A handler refuses a signature that is more than a few minutes old. --sign replaces the timestamp and the signature, with\n' +
      'the secret that Rainbell has for the callback’s sender. --sender signs as a sender such as stripe does, with the secret from\n' +
      'the environment variable RAINBELL_WEBHOOK_SECRET, or from stdin with --webhook-secret-stdin.',
    `--query replays all matching callbacks, oldest first and one at a time, at most ${maxReplays.toLocaleString('en-US')}; --times, one callback many times.\n` +
      'Ctrl+C stops after the current response, and prints what was not sent.',
    'Without --to, a callback goes to its original path on the running receiver.\n' +
      'Rainbell never sends requests to link-local addresses. Exit code 0 if each response is 2xx, otherwise 1.',
  ],
  options: {
    query: { value: 'QUERY', words: 'all callbacks that match, in the syntax of the app’s search box' },
    to: { value: 'URL', words: 'target URL (default: the running receiver)' },
    times: { value: 'N', words: `send the callback so many times, up to ${maxReplays} (default: 1)` },
    delay: { value: 'TIME', words: 'pause between two requests, such as 500ms or 2s (default: 0)' },
    sign: { words: 'sign it afresh: with the current time and the same event ID' },
    'new-id': { words: 'sign it afresh, with a new event ID' },
    sender: { value: 'SENDER', words: 'sign it afresh as this sender does, with your secret' },
    'webhook-secret-stdin': { words: 'read the secret for --sender from stdin' },
    json: commonOptions.json,
    data: commonOptions.data,
  },
  examples: [
    'replay 42',
    'replay 42 --to http://localhost:3000/hooks --sign',
    'replay --query "sender:stripe after:2026-11-22" --to http://localhost:3000/hooks --sign --delay 200ms',
  ],
  async run(given, context) {
    const query = readQuery(given, 'query');
    const [text = ''] = requireArguments(given, query === undefined ? ['ID'] : []);
    const id = query === undefined ? readId(text) : undefined;
    const times = given.whole('times', 1, maxReplays) ?? 1;
    if (id === undefined && times > 1) throw new UsageError('--times is for one callback.');
    const delayMs = readDuration('delay', given.text('delay') ?? '0');
    const dataFolder = readDataFolder(given);
    const url = given.text('to') ?? null;
    const request = { url, ...(await readSigning(given, context)) };
    return withStored(dataFolder, context, async (client, isOwn) => {
      // Only another process can receive it.
      if (url === null && isOwn)
        throw new UsageError('Rainbell is not running with this data folder. Start it, or add a URL with --to.');
      if (id !== undefined && times === 1) {
        const sent = await client.sends.replay({ id, ...request }).catch(explainMissing(id, dataFolder));
        print(context.output, given.isSet('json'), sent);
        return isAccepted(sent) ? exitCodes.done : exitCodes.no;
      }
      const run = { given, context, delayMs, request };
      if (id !== undefined) return replayAll(client, Array<number>(times).fill(id), run);
      const throughId = (await client.app.status()).newestCallbackId;
      const { ids } = await client.sends.replayIds({ choice: { kind: 'query', query: query ?? '', throughId } });
      return replayAll(client, ids, run);
    });
  },
};

type Run = {
  given: ParsedArguments;
  context: CommandContext;
  delayMs: number;
  request: Omit<Parameters<AppClient['sends']['replay']>[0], 'id'>;
};

async function replayAll(
  client: AppClient,
  ids: readonly number[],
  { given, context: { output, signal, clock }, delayMs, request }: Run,
): Promise<ExitCode> {
  let [done, accepted] = [0, 0];
  try {
    const send = (id: number) => client.sends.replay({ id, ...request });
    for await (const result of runReplay({ ids, send, delayMs, clock, signal })) {
      done += 1;
      if (isAccepted(result)) accepted += 1;
      print(output, given.isSet('json'), result, `${result.callbackId}: `);
    }
  } finally {
    // Also after an error that ends the run.
    const rest = ids.slice(done);
    output.info(`${plural(done, ['# sent', '# sent'])}, ${plural(accepted, ['# accepted', '# accepted'])}.`);
    const first = String(rest[0]);
    if (rest.length > 0)
      output.info(
        plural(
          rest.length,
          ['Stopped: # was not sent, callback {first}.', 'Stopped: # were not sent, from callback {first} on.'],
          { first },
        ),
      );
  }
  if (done < ids.length) return exitCodes.interrupted;
  return accepted === done ? exitCodes.done : exitCodes.no;
}

async function readSigning(
  given: ParsedArguments,
  context: CommandContext,
): Promise<Pick<Run['request'], 'signing' | 'signAs'>> {
  const sender = given.text('sender');
  const signing = given.isSet('new-id')
    ? 'new-id'
    : given.isSet('sign') || sender !== undefined
      ? 'same-id'
      : 'as-received';
  if (sender === undefined) return { signing };
  const secret = await readTyped(given, context);
  if (secret === null) throw missingSecret();
  return { signing, signAs: { sender, secret } };
}

/** For a callback that is not stored, names the folder. */
export function explainMissing(id: number, dataFolder: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof AppFailure) || error.code !== 'NOT_FOUND') throw error;
    throw new AppFailure('NOT_FOUND', `There is no callback ${id} in ${dataFolder}.`);
  };
}

export function readId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`ID must be the number at the start of a line that rainbell listen prints, not “${text}”.`);
}

function print(output: Output, isJson: boolean, { callbackId, url, tookMs, outcome }: ReplayResult, prefix = ''): void {
  if (isJson) output.printJson({ callbackId, url, tookMs, ...outcome });
  else if (outcome.kind === 'answered')
    output.print(`${prefix}${url} returned ${outcome.status} in ${Math.round(tookMs)} ms`);
  else output.info(prefix + outcome.message);
}
