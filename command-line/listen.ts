// `rainbell listen`: one line per callback, until Ctrl-C.
import type { StoredSummary } from '#core/receiver/callback-pages.ts';
import { readDataFolder, readPort, requireArguments } from './arguments.ts';
import { openArrivals } from './arrivals.ts';
import { commonOptions, type Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';

export const listen: Command = {
  name: 'listen',
  usage: '[--port N] [--json] [--data DIR]',
  summary: 'Receives callbacks and prints one line for each, until Ctrl-C.',
  details: [
    '  Every callback is on disk before it is answered, in the same store as the app’s, by the same rules and limits.\n' +
      '  Where the app (or another listen or wait) already runs with the data folder, this one follows what it stores\n' +
      '  instead, and takes over when it ends. While this command listens, the app does not start on the folder.',
    '  With --json: one object per line with id, receivedAt, method, target, monitorId (or null), sizeBytes, answeredStatus.',
  ],
  options: {
    port: commonOptions.port,
    json: commonOptions.json,
    data: commonOptions.data,
    help: commonOptions.help,
  },
  async run(given, { clock, output, signal, workers }) {
    requireArguments(given, []);
    const json = given.isSet('json');
    const port = readPort(given);
    const arrivals = await openArrivals({ dataFolder: readDataFolder(given), port, clock, workers, tell: output.info });
    try {
      for await (const callback of arrivals.until(signal)) printCallback(output, callback, json);
    } finally {
      await arrivals.close();
    }
    return exitCodes.done;
  },
};

export function printCallback(output: Output, callback: StoredSummary, json: boolean): void {
  const { id, receivedAt, method, target, monitorId, sizeBytes, answeredStatus } = callback;
  if (json) {
    output.printJson({ id, receivedAt, method, target, monitorId, sizeBytes, answeredStatus });
    return;
  }
  const answer = answeredStatus === 0 ? 'closed without an answer' : `answered ${answeredStatus}`;
  output.print(`${id}  ${receivedAt}  ${method} ${target}  ${monitorId ?? 'no monitor'}  ${sizeBytes} B  ${answer}`);
}
