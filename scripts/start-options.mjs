// The command line of `npm start`. What it does not know is answered with the usage and exit code 2.
import { parseArgs } from 'node:util';

export const usage = `npm start [-- --headless | --electron] [--port N] [--data DIR] [--no-open]

  --headless   show the app in your browser
  --electron   show the app in Electron, and fail where that is impossible
               (without either: Electron where its binary can be had, else the browser)
  --port N     the port that the browser is served from, 0 to 65535; 0 takes a free one
  --data DIR   where everything is kept; without it, your user data folder
  --no-open    do not open the browser
  --help       print this`;

/** @typedef {{ host: 'electron' | 'headless' | 'any', port: string | undefined, data: string | undefined, open: boolean }} StartOptions */

/**
 * Answers the options, or what is wrong with them in words.
 * @param {readonly string[]} args
 * @returns {{ kind: 'options', options: StartOptions } | { kind: 'help' } | { kind: 'wrong', words: string }}
 */
export function readStartOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        headless: { type: 'boolean' },
        electron: { type: 'boolean' },
        port: { type: 'string' },
        data: { type: 'string' },
        'no-open': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return { kind: 'wrong', words: firstSentence(error instanceof Error ? error.message : String(error)) };
  }
  const { headless, electron, port, data } = values;
  if (values.help) return { kind: 'help' };
  if (headless && electron) return { kind: 'wrong', words: '--headless and --electron exclude each other.' };
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    return { kind: 'wrong', words: `--port must be a whole number from 0 to 65535. It was "${port}".` };
  }
  if (data === '') return { kind: 'wrong', words: '--data must name a folder.' };
  const host = headless ? 'headless' : electron ? 'electron' : 'any';
  return { kind: 'options', options: { host, port, data, open: !values['no-open'] } };
}

/** @param {string} text */
function firstSentence(text) {
  return `${text.split('. ')[0]?.replace(/\.$/, '')}.`;
}
