// `rainbell check-providers`: whether the live weather providers respond from this machine, and with what.
import { UsageError } from '../terminal/arguments.ts';
import { commonOptions, type Command } from '../terminal/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { tableLines } from '../terminal/output.ts';

/** Oslo, which each provider covers. */
const location = { lat: 59.91, lng: 10.75 };

export const checkLiveProviders: Command = {
  name: 'check-providers',
  usage: '[--json]',
  summary: 'Request the weather from each live provider once, and print what came back',
  details: [
    'It reads the service’s settings for providers, such as RAINBELL_OPEN_METEO_URL and RAINBELL_MET_NORWAY_CONTACT, from the environment.',
    'With --json: {"providers": [{provider, outcome, milliseconds, text}]}; outcome is ok, off, or failed.',
  ],
  options: { json: commonOptions.json },
  examples: ['check-providers'],
  async run(given, { environment, clock, output }) {
    // Loaded only here, because the other commands start without the service.
    const { checkProviders, StartError } = await import('@rainbell/service');
    const checks = await checkProviders({ environment, clock, location }).catch((error: unknown) => {
      throw error instanceof StartError ? new UsageError(error.message) : error;
    });
    if (given.isSet('json')) output.printJson({ providers: checks });
    else {
      const rows = checks.map(({ provider, outcome, milliseconds, text }) => [
        provider,
        outcome,
        `${milliseconds} ms`,
        text,
      ]);
      for (const line of tableLines(['Provider', 'Outcome', 'Time', 'Response'], rows)) output.print(line);
    }
    return checks.some(({ outcome }) => outcome === 'failed') ? exitCodes.no : exitCodes.done;
  },
};
