// Which rain, on a monitor in its cool-down or with conditions: now, after the cool-down, or a whole episode. The sandbox's clock moves.
import { Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { eventRulesOf } from '@rainbell/contract/service-api';
import { useApp } from '../../../store/use-app.ts';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import { WeatherFields } from '../../../widgets/WeatherFields.tsx';
import type { Rain } from '../common/rain-slice.ts';
import classes from '../common/MonitorDialogs.module.css';

type Props = { readonly monitor: AppMonitor; readonly nextAllowedAt: number | null };

export function RainForm({ monitor, nextAllowedAt }: Props) {
  const { openDialog, rainNow, rainAfterCoolDown, playEpisode } = useApp((state) => state.monitors);
  const times = useLogTimes();
  const rules = eventRulesOf(monitor.options ?? {});
  const [rain, setRain] = useState<Rain>({
    minutes: 20,
    ...(rules && { kind: rules.types[0], mmPerHour: Math.max(2.4, rules.leastMmPerHour) }),
  });
  const clock = nextAllowedAt === null ? '' : `${times.clock(nextAllowedAt)} ${times.zoneName(nextAllowedAt)}`;
  return (
    <div className="rb-stack">
      {nextAllowedAt !== null && (
        <p>{`The monitor is in cool-down until ${clock} by the sandbox’s clock. Rain before then won’t cause a callback.`}</p>
      )}
      <div className="rb-row rb-wrap">
        <WeatherFields weather={rain} onChange={(weather) => setRain({ ...weather, minutes: rain.minutes })} />
        <NumberInput
          label="Minutes"
          min={1}
          max={240}
          clampBehavior="strict"
          allowDecimal={false}
          w={80}
          value={rain.minutes}
          onChange={(value) => typeof value === 'number' && setRain({ ...rain, minutes: value })}
        />
      </div>
      {rules && (
        <p className="rb-note">
          {`An episode moves the clock through ${rain.minutes} min of rain and ${rules.dryMinutes} dry min, so all events are sent.`}
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
          <TaskButton data-autofocus task={() => playEpisode(monitor, nextAllowedAt, rain)}>
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
