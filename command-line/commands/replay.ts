// `rainbell replay`: sends a stored callback again, as received.
import { responseLimitBytes } from '@rainbell/contract/app-rpc';
import {
  AppFailure,
  createRequestSender,
  createSendGuard,
  type FinishedSend,
  originForm,
  readAddressFile,
} from '@rainbell/core';
import { readDataFolder, requireArguments, UsageError } from '../terminal/arguments.ts';
import { readSelectedTransport } from '../session/saved-connection.ts';
import { commonOptions, type Command } from '../terminal/command.ts';
import { exitCodes, type ExitCode } from '../terminal/exit-codes.ts';
import type { Output } from '../terminal/output.ts';
import { openStoredCallbacks } from '../session/stored-callbacks.ts';

export const replay: Command = {
  name: 'replay',
  usage: 'ID [--to URL] [--json] [--data DIR]',
  summary: 'Replay a stored callback with its original method, headers, and body, and print the response',
  details: [
    'Without --to, the callback goes to its original path on the running receiver.\n' +
      'Rainbell never sends requests to link-local addresses. Exit code 0 after a 2xx response, otherwise 1.',
  ],
  options: {
    to: { value: 'URL', words: 'target URL (default: the running receiver)' },
    json: commonOptions.json,
    data: commonOptions.data,
    help: commonOptions.help,
  },
  examples: ['replay 42', 'replay 42 --to http://localhost:3000/hooks'],
  async run(given, { clock, output }) {
    const [text = ''] = requireArguments(given, ['ID']);
    const id = readId(text);
    const dataFolder = readDataFolder(given);
    const addresses = readAddressFile(dataFolder);
    const { pages, close } = openStoredCallbacks(dataFolder, clock);
    const service = addresses?.service ? [Number(new URL(addresses.service).port)] : [];
    const guard = createSendGuard({ adminPorts: () => service });
    const transport = readSelectedTransport(dataFolder);
    const sender = createRequestSender({ clock, guard, authority: () => undefined, transport: () => transport });
    try {
      const callback = pages.get(id);
      if (!callback) throw new AppFailure('NOT_FOUND', `There is no callback ${id} in ${dataFolder}.`);
      const { method, headers, body, target } = callback;
      if (callback.refusal)
        throw new AppFailure(
          'INVALID_INPUT',
          `Request ${id} was refused before it was complete, so it can’t be replayed.`,
        );
      const to = given.text('to');
      const url = to ?? ownUrl(addresses?.receiver, target);
      // Here, it must not look like another event.
      const marked = to === undefined ? [...headers, replayMark(id)] : headers;
      const sent = await sender.send({ method, url, headers: marked, body }, responseLimitBytes);
      return print(output, given.isSet('json'), url, sent);
    } finally {
      close();
      await sender.close();
    }
  },
};

/** Throws UsageError if the text is not a callback's number. */
export function readId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`ID must be the number at the start of a line that rainbell listen prints, not “${text}”.`);
}

/** What keeps a callback that is sent again from looking like another event. */
export function replayMark(id: number): [string, string] {
  return ['x-rainbell-replay', String(id)];
}

/** The receiver's URL for a callback's target. Throws UsageError if no Rainbell is running. */
export function ownUrl(receiver: string | null | undefined, target: string): string {
  const path = originForm(target);
  if (receiver) return receiver + (path.startsWith('/') ? path : '/');
  throw new UsageError('Rainbell is not running with this data folder. Start it, or add a URL with --to.');
}

function print(output: Output, isJson: boolean, url: string, { tookMs, outcome }: FinishedSend): ExitCode {
  if (isJson) output.printJson({ url, tookMs, ...outcome });
  else if (outcome.kind === 'answered') output.print(`${url} returned ${outcome.status} in ${Math.round(tookMs)} ms`);
  else output.info(outcome.message);
  const isOk = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
  return isOk ? exitCodes.done : exitCodes.no;
}
