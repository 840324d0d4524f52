// The command line of `npm start`. What it does not know is answered with the usage and exit code 2.
import { parseArgs } from 'node:util';

export const usage = `Usage: npm start [-- --headless | --electron] [--port N] [--data DIR] [--no-open] [--no-sandbox] [LINK] [-- FLAG…]

Open the app in Electron if its binary is installed or can be downloaded, otherwise in the browser

Arguments:
  LINK          what to open, such as rainbell://callbacks/21079
  -- FLAG…      flags for Electron and Chromium, such as --ozone-platform=x11 or --disable-gpu

Options:
  --headless    show the app in your browser
  --electron    show the app in Electron, and fail if that is impossible
  --port N      port for the app in the browser, 0 to 65535; 0 picks a free one (default: 8421)
  --data DIR    data folder (default: your user data folder)
  --no-open     do not open the browser
  --no-sandbox  start Electron without Chromium's sandbox, for systems that do not allow it. A web page that
                exploits a bug in Chromium can then do everything that your user account can
  -h, --help    print this help

Examples:
  npm start
  npm start -- --headless --port 9000
  npm start -- -- --disable-gpu`;

/**
 * `flags` are for Electron and Chromium.
 * @typedef {{ host: 'electron' | 'headless' | 'any', port: string | undefined, data: string | undefined, open: boolean, flags: readonly string[], link: string | undefined }} StartOptions
 */

/**
 * Returns the options, or a message about what is wrong with them.
 * @param {readonly string[]} args
 * @returns {{ kind: 'options', options: StartOptions } | { kind: 'help' } | { kind: 'wrong', problem: string }}
 */
export function readStartOptions(args) {
  const separator = args.includes('--') ? args.indexOf('--') : args.length;
  const passedOn = args.slice(separator + 1);
  let values, links;
  try {
    ({ values, positionals: links } = parseArgs({
      args: args.slice(0, separator),
      allowPositionals: true,
      options: {
        headless: { type: 'boolean' },
        electron: { type: 'boolean' },
        port: { type: 'string' },
        data: { type: 'string' },
        'no-open': { type: 'boolean' },
        'no-sandbox': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return wrong(firstSentence(error instanceof Error ? error.message : String(error)));
  }
  const { headless, electron, port, data } = values;
  const flags = [...(values['no-sandbox'] ? ['--no-sandbox'] : []), ...passedOn];
  if (values.help) return { kind: 'help' };
  if (headless && electron) return wrong("--headless and --electron can't be used together.");
  if (headless && flags.length > 0) return wrong(`${flags[0]} is for Electron and has no effect with --headless.`);
  const noFlag = passedOn.find((flag) => !flag.startsWith('--'));
  if (noFlag !== undefined) return wrong(`"${noFlag}" after "--" is not a flag for Electron, such as --disable-gpu.`);
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    return wrong(`--port must be a whole number from 0 to 65535. It was "${port}".`);
  }
  if (data === '') return wrong('--data must name a folder.');
  const noLink = links.find((link) => !/^rainbell:\/\/[a-z]/.test(link));
  if (noLink !== undefined)
    return wrong(`"${noLink.slice(0, 200)}" is not a Rainbell link. Links look like rainbell://callbacks.`);
  if (links.length > 1) return wrong(`Only one link can be opened, not ${links.length}.`);
  const host = headless ? 'headless' : electron ? 'electron' : 'any';
  return { kind: 'options', options: { host, port, data, open: !values['no-open'], flags, link: links[0] } };
}

/**
 * @param {string} problem
 * @returns {{ kind: 'wrong', problem: string }}
 */
function wrong(problem) {
  return { kind: 'wrong', problem };
}

/** @param {string} text */
function firstSentence(text) {
  return `${text.split('. ')[0]?.replace(/\.$/, '')}.`;
}
