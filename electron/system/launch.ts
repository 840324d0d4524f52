// The Electron host's command line. Chromium's flags are on the same line, so unknown arguments are ignored.
import { resolve } from 'node:path';
import { defaultDataFolder } from '@rainbell/shared/node';
import { deepLinkScheme } from '@rainbell/core';

export type Launch = {
  /** Absolute. */
  dataFolder: string;
  /** A `rainbell://` address that the system handed over. */
  deepLink: string | undefined;
  /** Start with the tray only, without a window. */
  isHidden: boolean;
};

export const hiddenFlag = '--hidden';

/** `args` without the program's own name; relative folders count from `workingFolder`. */
export function readLaunch(args: readonly string[], workingFolder: string): Launch {
  const data = valueOf(args, '--data');
  return {
    dataFolder: data === undefined ? defaultDataFolder() : resolve(workingFolder, data),
    deepLink: args.find((argument) => argument.startsWith(`${deepLinkScheme}://`)),
    isHidden: args.includes(hiddenFlag),
  };
}

function valueOf(args: readonly string[], flag: string): string | undefined {
  const joined = args.find((argument) => argument.startsWith(`${flag}=`));
  if (joined !== undefined) return joined.slice(flag.length + 1) || undefined;
  const index = args.indexOf(flag);
  return index === -1 ? undefined : args[index + 1] || undefined;
}
