// `rainbell service`: the weather service as this process's task, with the flags of `npm run service`.
import { once } from 'node:events';
import { UsageError } from '../terminal/arguments.ts';
import type { Command } from '../terminal/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';

export const service: Command = {
  name: 'service',
  usage: '[migrate] [--home] [--json] [OPTIONS]',
  summary: 'Run the weather service until Ctrl+C; its --help lists every setting',
  details: [],
  options: {},
  examples: [],
  readsArguments: true,
  async run({ words }, { environment, workers, output, signal }) {
    // Loaded only here, because the other commands start without the service.
    const { describeFailure, runService, StartError } = await import('@rainbell/service');
    let close: (() => Promise<void>) | undefined;
    try {
      await runService(words, {
        environment,
        workers,
        program: 'rainbell service',
        print: output.show,
        onStart: (closeService) => (close = closeService),
      });
      if (!close) return exitCodes.done;
      if (!signal.aborted) await once(signal, 'abort');
      await close();
    } catch (error) {
      if (error instanceof StartError && error.kind === 'settings') throw new UsageError(error.message);
      output.info(`error: ${describeFailure(error, 'The service failed')}`);
      return exitCodes.no;
    }
    return exitCodes.done;
  },
};
