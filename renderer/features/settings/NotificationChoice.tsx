// Whether new events are told outside of the screens, and the hours in which nothing is told.
import { Switch, TextInput } from '@mantine/core';
import { useApp } from '#renderer/store/use-app.ts';
import classes from './NotificationChoice.module.css';

const usualHours = { from: '22:00', until: '07:00' };

export function NotificationChoice() {
  const choice = useApp((state) => state.settings.values.notifications);
  const update = useApp((state) => state.settings.update);
  const { isOn, quiet } = choice;
  const hours = (part: Partial<typeof usualHours>) =>
    void update({ notifications: { isOn, quiet: { ...(quiet ?? usualHours), ...part } } });
  return (
    <div className={classes.form}>
      <Switch
        label="Tell new events as notifications"
        description="With place and weather; many at once as one. A click opens the callback."
        checked={isOn}
        onChange={(event) => void update({ notifications: { isOn: event.currentTarget.checked, quiet } })}
      />
      <Switch
        label="Quiet hours"
        disabled={!isOn}
        checked={quiet !== null}
        onChange={(event) =>
          void update({ notifications: { isOn, quiet: event.currentTarget.checked ? usualHours : null } })
        }
      />
      {quiet && (
        <div className={classes.hours}>
          <TextInput
            type="time"
            label="From"
            value={quiet.from}
            onChange={({ currentTarget: { value } }) => value !== '' && hours({ from: value })}
          />
          <TextInput
            type="time"
            label="Until"
            value={quiet.until}
            onChange={({ currentTarget: { value } }) => value !== '' && hours({ until: value })}
          />
        </div>
      )}
    </div>
  );
}
