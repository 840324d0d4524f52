// Which rain, on a monitor in its cool-down or with conditions: now, after the cool-down, or a whole episode. The sandbox's clock moves.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { eventRulesOf } from '@rainbell/contract/service-api';
import { useApp } from '../../../store/use-app.ts';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import { type MadeWeather, WeatherFields } from '../../../widgets/WeatherFields.tsx';
import classes from '../common/MonitorDialogs.module.css';

/** The sandbox's clock moves through 12 hours at most. */
const longestPlayed = 240;

type Props = { readonly monitor: AppMonitor; readonly nextAllowedAt: number | null };

export function RainForm({ monitor, nextAllowedAt }: Props) {
  const { openDialog, rainNow, rainAfterCoolDown, playEpisode } = useApp((state) => state.monitors);
  const times = useLogTimes();
  const rules = eventRulesOf(monitor.options ?? {});
  const [rain, setRain] = useState<MadeWeather>(
    rules ? { kind: rules.types[0], mmPerHour: Math.max(2.4, rules.leastMmPerHour) } : {},
  );
  const clock = nextAllowedAt === null ? '' : `${times.clock(nextAllowedAt)} ${times.zoneName(nextAllowedAt)}`;
  return (
    <div className="rb-stack">
      {nextAllowedAt !== null && (
        <p>{`The monitor is in cool-down until ${clock} by the sandbox’s clock. Rain before then won’t cause a callback.`}</p>
      )}
      <div className="rb-row rb-wrap">
        <WeatherFields weather={rain} onChange={setRain} />
      </div>
      {rules && (
        <p className="rb-note">
          {`An episode moves the clock until ${rules.dryMinutes} dry minutes after the rain, so that all events are sent.`}
        </p>
      )}
      <div className="rb-buttons">
        <TaskButton variant="default" task={() => rainNow(monitor, rain)}>
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
        <Button variant="subtle" className={classes.cancel ?? ''} onClick={() => openDialog(null)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
