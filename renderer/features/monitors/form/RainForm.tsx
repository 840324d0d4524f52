// Which rain, on a monitor in its cool-down or with conditions: now, after the cool-down, or a whole episode. The sandbox's clock moves.
import { useState } from 'react';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { eventRulesOf, type Rain } from '@rainbell/contract/service-api';
import { useApp } from '../../../store/use-app.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import { WeatherFields } from '../../../widgets/WeatherFields.tsx';
import { getDeliveryStatus } from '../common/delivery-status.ts';
import { FormButtons } from './FormButtons.tsx';

/** The sandbox's clock moves through 12 hours at most. */
const longestPlayed = 240;

export function RainForm({ monitor }: { readonly monitor: AppMonitor }) {
  const { facts, rainNow, rainAfterCoolDown, playEpisode } = useApp((state) => state.monitors);
  const { nextAllowedAt } = getDeliveryStatus(monitor, facts, useNow(60_000));
  const times = useLogTimes();
  const rules = eventRulesOf(monitor.options ?? {});
  const [rain, setRain] = useState<Rain>(
    rules ? { kind: rules.types[0], mmPerHour: Math.max(2.4, rules.leastMmPerHour) } : {},
  );
  const clock = nextAllowedAt === null ? '' : `${times.clock(nextAllowedAt)} ${times.zoneName(nextAllowedAt)}`;
  return (
    <div className="rb-stack">
      {nextAllowedAt !== null && (
        <p>{`The monitor is in cool-down until ${clock} by the sandbox’s clock. Rain before then won’t cause a callback.`}</p>
      )}
      <WeatherFields weather={rain} onChange={setRain} />
      {rules && (
        <p className="rb-note">
          {`An episode moves the clock until ${rules.dryMinutes} dry minutes after the rain, so that all events are sent.`}
        </p>
      )}
      <FormButtons>
        <TaskButton
          variant="default"
          {...(nextAllowedAt === null && !rules && { 'data-autofocus': true })}
          task={() => rainNow(monitor, rain)}
        >
          {nextAllowedAt === null ? 'Make it rain' : 'Make it rain now, without a callback'}
        </TaskButton>
        {nextAllowedAt !== null && !rules && (
          <TaskButton data-autofocus task={() => rainAfterCoolDown(monitor, nextAllowedAt, rain)}>
            {`Move the clock to ${clock} and make it rain`}
          </TaskButton>
        )}
        {rules && (
          <TaskButton
            data-autofocus
            disabled={(rain.minutes ?? 0) > longestPlayed}
            task={() => playEpisode(monitor, nextAllowedAt, rain)}
          >
            Play an episode
          </TaskButton>
        )}
      </FormButtons>
    </div>
  );
}
