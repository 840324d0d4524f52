// `rainbell export`: stored callbacks as a file, on stdout.
import { exportFormats } from '@rainbell/contract/app-rpc';
import { readDataFolder } from '../terminal/arguments.ts';
import { commonOptions, OutputClosed, type Command } from '../terminal/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { readQuery } from './listen.ts';
import { withStored } from '../session/app-session.ts';

export const exportCallbacks: Command = {
  name: 'export',
  usage: '[--format FORMAT] [--query QUERY] [--data DIR]',
  summary: 'Print stored callbacks as NDJSON, JSON, CSV, or HAR, oldest first; the app can import all except CSV',
  details: [
    'QUERY uses the syntax of the app’s search box: method:POST monitor:ID path:/hooks status:5xx header:NAME=VALUE\n' +
      'json:geo.type=Point is:warning outcome:closed size:>1kB after:2026-11-22, words, OR, and -term to exclude.\n' +
      'monitor:, method:, and the values of header: and json: match exactly; * matches any characters.',
  ],
  options: {
    format: { value: 'FORMAT', words: `one of ${exportFormats.join(', ')} (default: ndjson)` },
    query: { value: 'QUERY', words: 'only matching callbacks (default: all)' },
    data: commonOptions.data,
  },
  examples: ['export --format har --query monitor:precipitation_12 > callbacks.har'],
  async run(given, context) {
    const { output, signal } = context;
    const format = given.choice('format', exportFormats) ?? 'ndjson';
    const query = readQuery(given, 'query') ?? '';
    await withStored(readDataFolder(given), context, async (client) => {
      const { newestCallbackId: throughId } = await client.app.status();
      const choice = { kind: 'query', query, throughId } as const;
      let cursor: string | null = null;
      do {
        // Each page continues the one before.
        const page: { text: string; next: string | null } = await client.callbacks.exportPage({
          format,
          choice,
          cursor,
        });
        output.show(page.text);
        cursor = page.next;
        // Yields to the event loop: flushes the output and handles Ctrl+C.
        await new Promise((resolve) => setImmediate(resolve));
      } while (cursor !== null && !signal.aborted);
    });
    const isInterrupted = signal.aborted && !(signal.reason instanceof OutputClosed);
    return isInterrupted ? exitCodes.interrupted : exitCodes.done;
  },
};
