// `rainbell` on Node: the testers' command line, on the same store as the app. scripts/rainbell.mjs starts it on the right Node.
import { startCommandLine } from './start-command-line.ts';

// Not awaited: in the bundle, what is imported later waits for this module to end.
const ended = startCommandLine(process.argv.slice(2), {
  workers: {
    receiver: new URL(import.meta.resolve('@rainbell/core/receiver-worker')),
    places: new URL(import.meta.resolve('@rainbell/service/places-worker')),
    json: new URL(import.meta.resolve('@rainbell/core/json-worker')),
  },
  openInput: () => process.stdin,
  exit: (code) => process.exit(code),
});
void ended.then((code) => (process.exitCode = code));
