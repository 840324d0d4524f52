// `rainbell why`: the service's explanation of a silent monitor (contract/service-api/monitor-explanation.ts).
import { AppFailure } from '@rainbell/core';
import { requireArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command } from '../terminal/command.ts';
import { serviceDetails, serviceOptions, serviceUsage } from '../session/credentials.ts';
import { withService } from '../session/service-session.ts';
import { exitCodes } from '../terminal/exit-codes.ts';

export const why: Command = {
  name: 'why',
  usage: `ID ${serviceUsage}`,
  summary: 'Print what a monitor is doing now, in one sentence with times in UTC',
  details: [
    serviceDetails,
    'Only Rainbell’s own service offers explanations. Times use the service’s clock, which can be moved in a sandbox.',
    'With --json: the service’s object {monitor_id, cause, since, until, reason, checked_at, next_check_at, weather, event, last_event, sentence, now}.',
  ],
  options: { json: commonOptions.json, ...serviceOptions, help: commonOptions.help },
  examples: ['why precipitation_12'],
  async run(given, context) {
    const [id = ''] = requireArguments(given, ['ID']);
    const { explanation } = await withService(given, context, ({ client }) => client.monitors.explain({ id }));
    if (explanation === null) {
      throw new AppFailure(
        'NOT_FOUND',
        `The service has no monitor ${id}, or does not offer explanations. To list the monitors, run rainbell monitors list.`,
      );
    }
    if (given.isSet('json')) context.output.printJson(explanation);
    else context.output.print(explanation.sentence);
    return exitCodes.done;
  },
};
