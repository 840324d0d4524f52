// The command line of the headless host, checked before anything starts.
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { z } from 'zod';
import { defaultDataFolder } from '@rainbell/shared/node';
import { hashOfDeepLink } from '@rainbell/core';

export type HeadlessOptions = {
  /** 0 picks a free one; undefined prefers 8421. */
  port: number | undefined;
  dataFolder: string;
  /** Whether to open the user's browser. */
  opensBrowser: boolean;
  /** Print one JSON line `{"url"}` instead of sentences. */
  json: boolean;
  /** The hash of a `rainbell://` link, such as `#/callbacks/21079`. */
  hash: string | undefined;
};

export const helpText = `Usage: npm run headless -- [--port N] [--data DIR] [--no-open] [--json] [LINK]

Serve Rainbell's screens to a browser on this computer, with the weather service and the callback receiver

If Rainbell is already running with this data folder, opens that instance and exits.

Arguments:
  LINK         what to open first, such as rainbell://callbacks/21079

Options:
  --port N     port for the app in the browser; 0 picks a free one (default: 8421, or a free one if that is in use)
  --data DIR   data folder (default: ${defaultDataFolder()})
  --no-open    do not open a browser
  --json       print one line {"url"} with the URL to open
  --help       print this help

Environment:
  RAINBELL_SCREENS   folder with the built screens (default: dist/renderer)
  The service's settings also come from the environment: npm run service -- --help lists them.

Examples:
  npm run headless
  npm run headless -- --port 9000 --no-open

Exit codes:
  0    stopped, or opened in the instance that is already running
  1    Rainbell could not start
  2    invalid arguments
`;

/** Returns an error message if the command line is invalid, or 'help'. */
export function readOptions(argv: readonly string[]): HeadlessOptions | { problem: string } | 'help' {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        data: { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return 'help';
    const port = portSchema.safeParse(values.port);
    if (!port.success) return { problem: `--port must be a whole number from 0 to 65535, not “${values.port}”.` };
    const [link, ...others] = positionals;
    const hash = link === undefined ? undefined : hashOfDeepLink(link);
    if (link !== undefined && hash === undefined) {
      return {
        problem: `“${link.slice(0, 200)}” is not a Rainbell link. Links look like rainbell://callbacks. See --help.`,
      };
    }
    if (others.length > 0) return { problem: `Only one link can be opened, not ${positionals.length}. See --help.` };
    return {
      hash,
      port: port.data,
      dataFolder: values.data === undefined ? defaultDataFolder() : resolve(values.data),
      opensBrowser: !values['no-open'],
      json: values.json,
    };
  } catch (error) {
    return { problem: `${error instanceof Error ? error.message : String(error)} See --help.` };
  }
}

const portSchema = z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(65_535)).optional();
