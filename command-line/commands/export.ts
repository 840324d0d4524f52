// `rainbell export`: stored callbacks as a file, on stdout.
import { type ExportFormat, exportFormats } from '@rainbell/contract/app-rpc';
import { createCallbackExport } from '@rainbell/core';
import { readDataFolder, requireArguments, UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, OutputClosed, type Command } from '../terminal/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { openStoredCallbacks } from '../session/stored-callbacks.ts';

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
    help: commonOptions.help,
  },
  examples: ['export --format har --query monitor:precipitation_12 > callbacks.har'],
  async run(given, { clock, output, signal }) {
    requireArguments(given, []);
    const format = readFormat(given);
    const query = given.text('query') ?? '';
    const { pages, search, close } = openStoredCallbacks(readDataFolder(given), clock);
    try {
      const files = createCallbackExport({ pages, search, version: 'command line', baseUrl: () => null });
      const choice = { kind: 'query', query, throughId: pages.counts().newestId } as const;
      let cursor: string | null = null;
      do {
        const page = files.page({ format, choice, cursor });
        output.show(page.text);
        cursor = page.next;
        // Yields to the event loop: flushes the output and handles Ctrl+C.
        await new Promise((resolve) => setImmediate(resolve));
      } while (cursor !== null && !signal.aborted);
    } finally {
      close();
    }
    const isInterrupted = signal.aborted && !(signal.reason instanceof OutputClosed);
    return isInterrupted ? exitCodes.interrupted : exitCodes.done;
  },
};

function readFormat(given: ParsedArguments): ExportFormat {
  const text = given.text('format') ?? 'ndjson';
  const format = exportFormats.find((known) => known === text);
  if (format) return format;
  throw new UsageError(`--format must be one of ${exportFormats.join(', ')}, not “${text}”.`);
}
