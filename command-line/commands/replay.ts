// `rainbell replay`: sends a stored callback again, as received.
import type { CallbackSend } from '@rainbell/contract/app-rpc';
import { AppFailure } from '@rainbell/core';
import { readDataFolder, requireArguments, UsageError } from '../terminal/arguments.ts';
import { withStored } from '../session/app-session.ts';
import { commonOptions, type Command } from '../terminal/command.ts';
import { exitCodes, type ExitCode } from '../terminal/exit-codes.ts';
import type { Output } from '../terminal/output.ts';

export const replay: Command = {
  name: 'replay',
  usage: 'ID [--to URL] [--sign] [--new-id] [--json] [--data DIR]',
  summary: 'Replay a stored callback, as received or signed afresh, and print the response',
  details: [
    'A handler refuses a signature that is more than a few minutes old. --sign replaces the timestamp and the signature, with\n' +
      'the secret that Rainbell has for the callback’s sender.',
    'Without --to, the callback goes to its original path on the running receiver.\n' +
      'Rainbell never sends requests to link-local addresses. Exit code 0 after a 2xx response, otherwise 1.',
  ],
  options: {
    to: { value: 'URL', words: 'target URL (default: the running receiver)' },
    sign: { words: 'sign it afresh: with the current time and the same event ID' },
    'new-id': { words: 'sign it afresh, with a new event ID' },
    json: commonOptions.json,
    data: commonOptions.data,
    help: commonOptions.help,
  },
  examples: ['replay 42', 'replay 42 --to http://localhost:3000/hooks --sign'],
  async run(given, context) {
    const [text = ''] = requireArguments(given, ['ID']);
    const id = readId(text);
    const dataFolder = readDataFolder(given);
    const to = given.text('to');
    const signing = given.isSet('new-id') ? 'new-id' : given.isSet('sign') ? 'same-id' : 'as-received';
    return withStored(dataFolder, context, async (client, isOwn) => {
      // Only another process can receive it.
      if (to === undefined && isOwn)
        throw new UsageError('Rainbell is not running with this data folder. Start it, or add a URL with --to.');
      const sent = await client.callbacks
        .replay({ id, url: to ?? null, signing })
        .catch(explainMissing(id, dataFolder));
      return print(context.output, given.isSet('json'), sent);
    });
  },
};

/** For a callback that is not stored, names the folder. */
export function explainMissing(id: number, dataFolder: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof AppFailure) || error.code !== 'NOT_FOUND') throw error;
    throw new AppFailure('NOT_FOUND', `There is no callback ${id} in ${dataFolder}.`);
  };
}

/** Throws UsageError if the text is not a callback's number. */
export function readId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`ID must be the number at the start of a line that rainbell listen prints, not “${text}”.`);
}

function print(output: Output, isJson: boolean, { url, tookMs, outcome }: CallbackSend): ExitCode {
  if (isJson) output.printJson({ url, tookMs, ...outcome });
  else if (outcome.kind === 'answered') output.print(`${url} returned ${outcome.status} in ${Math.round(tookMs)} ms`);
  else output.info(outcome.message);
  const isOk = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
  return isOk ? exitCodes.done : exitCodes.no;
}
