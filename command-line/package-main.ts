// `rainbell` of the npm package (rainbell.mjs): one bundle with its threads beside it.
import { startCommandLine } from './start-command-line.ts';

const built = (name: string) => new URL(`./${name}.js`, import.meta.url);

process.exitCode = await startCommandLine(process.argv.slice(2), {
  workers: { receiver: built('receiver-worker'), places: built('service-places-worker'), json: built('json-worker') },
  openInput: () => process.stdin,
  exit: (code) => process.exit(code),
});
