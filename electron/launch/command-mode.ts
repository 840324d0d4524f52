// `rainbell` in the packaged app: the app's binary runs the testers' command line and never opens a window. Its fuses keep the
// binary from running as plain Node, so the commands run in Electron's main process before Electron is ready. Until the
// main module has been evaluated, Electron starts neither its toolkit nor the GPU process, so no display is needed and no Dock icon
// appears: https://github.com/electron/electron/blob/main/shell/browser/electron_browser_main_parts.cc (`JoinAppCode`).
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';
import { startCommandLine } from '@rainbell/command-line';

/** Returns what follows `--cli [--]`. Only Chromium's flags may precede it, so a link or a file name cannot switch the mode. */
export function readCommand(args: readonly string[]): readonly string[] | undefined {
  const index = args.indexOf('--cli');
  if (index === -1 || args.slice(0, index).some((argument) => !argument.startsWith('--'))) return undefined;
  const command = args.slice(index + 1);
  // With the separator Chromium reads none of the flags, and on Windows Electron accepts a URL in front of other arguments:
  // https://github.com/electron/electron/blob/main/shell/app/command_line_args.cc
  return command[0] === '--' ? command.slice(1) : command;
}

export async function runCommand(command: readonly string[], builtFolder: string): Promise<never> {
  const worker = (name: string) => pathToFileURL(join(builtFolder, name));
  const code = await startCommandLine(command, {
    workers: {
      receiver: worker('receiver-worker.js'),
      places: worker('service-places-worker.js'),
      json: worker('json-worker.js'),
    },
    openInput,
    exit: (exitCode) => app.exit(exitCode),
  });
  app.exit(code);
  // The app must not start after this, even if the process takes a moment to end.
  return new Promise(() => {});
}

/** On Windows Electron replaces process.stdin with an empty stream; the descriptor itself is still the pipe. */
function openInput(): NodeJS.ReadableStream {
  return process.platform === 'win32' ? createReadStream('', { fd: 0, autoClose: false }) : process.stdin;
}
