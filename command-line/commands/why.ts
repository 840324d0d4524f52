// `rainbell why`: the service's explanation of a silent monitor (contract/service-api/monitor-explanation.ts).
import { formatInstant } from '@rainbell/shared';
import { formatEventEnd, summarizeEvent } from '@rainbell/contract/service-api';
import { AppFailure } from '@rainbell/core';
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
    'With --json: the service’s object {monitor_id, cause, since, until, reason, checked_at, next_check_at, weather, last_event, is_at_sea, sentence, now}.',
  ],
  options: { json: commonOptions.json, ...serviceOptions },
  examples: ['why precipitation_12'],
  async run(given, context) {
    const [id = ''] = given.words;
    const { explanation, last } = await withService(given, context, async ({ client }) => {
      const found = await client.monitors.explain({ id });
      // The record outlives a deleted monitor.
      const page = found.explanation
        ? undefined
        : await client.monitors.events({ monitor: id, limit: 1 }).catch(() => {});
      return { ...found, last: page?.objects[0] };
    });
    if (explanation === null) {
      const end =
        last && formatEventEnd(summarizeEvent(last), (at) => `${formatInstant(at).slice(0, 16).replace('T', ' ')} UTC`);
      throw new AppFailure(
        'NOT_FOUND',
        end !== undefined
          ? `Monitor ${id} was deleted. ${end}.`
          : `The service has no monitor ${id}, or does not offer explanations. To list the monitors, run rainbell monitors list.`,
      );
    }
    if (given.isSet('json')) context.output.printJson(explanation);
    else context.output.print(explanation.sentence);
    return exitCodes.done;
  },
};
