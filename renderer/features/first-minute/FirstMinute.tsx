// What a newcomer sees first: what this is, and three doors, of which the last leads to a first callback in two clicks.
import { selectForecast } from '../forecast/selectors.ts';
import { selectMonitorSaving } from '../monitors/selectors.ts';
import { plural } from '@rainbell/shared';
import { TrafficButton } from '../../widgets/TrafficButton.tsx';
import { Button, CloseButton, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useApp } from '../../store/use-app.ts';
import { formatPlace } from '../../ui/text/format-place.ts';
import { firstMonitor, isFirstMinute } from './first-minute-slice.ts';
import statusClasses from '../frame/StatusBar.module.css';
import classes from './FirstMinute.module.css';

/** Until the first callback arrived. */
export function FirstMinuteCard() {
  const isShown = useApp((state) => isFirstMinute(state) && state.settings.values.getStarted !== 'closed');
  return isShown && <FirstMinute />;
}

/** The card, put away. */
export function FirstMinuteStatus() {
  const isAway = useApp((state) => isFirstMinute(state) && state.settings.values.getStarted === 'closed');
  const open = useApp((state) => state.firstMinute.open);
  if (!isAway) return null;
  return (
    <UnstyledButton className={`rb-row rb-note rb-item ${statusClasses.part}`} data-tone="plain" onClick={open}>
      Get started
    </UnstyledButton>
  );
}

function FirstMinute() {
  const hasMonitor = useApp((state) => firstMonitor(state) !== undefined);
  const goTo = useApp((state) => state.frame.goTo);
  const receiver = useApp((state) => state.frame.status?.receiver.baseUrl ?? null);
  const { close, createMonitor, makeRain, rainAt } = useApp((state) => state.firstMinute);
  const saving = useApp(selectMonitorSaving);
  const points = useApp((state) => selectForecast(state)?.points.length ?? 0);
  const place = formatPlace(useApp((state) => state.settings.values.place));
  return (
    <section className={`rb-card rb-padded ${classes.card}`} aria-labelledby="rb-first-minute">
      <header className="rb-row">
        <p className="rb-fill">
          <strong id="rb-first-minute">Get started</strong> · Rainbell shows what a weather API returns, and receives
          webhooks from any sender.
        </p>
        <CloseButton size="sm" aria-label="Hide “Get started”" onClick={close} />
      </header>
      <ul>
        <Door title="Look at a forecast">
          {points > 0
            ? plural(points, ['{place}, # point from the sandbox', '{place}, # points from the sandbox'], { place })
            : `Loading the forecast for ${place}…`}
        </Door>
        <Door title="Inspect a webhook" action={<Button onClick={() => goTo('callbacks')}>Open Callbacks</Button>}>
          {receiver === null ? 'The receiver isn’t listening yet.' : `Send any request to ${receiver}`}
        </Door>
        <Door
          title="Test rain"
          action={
            hasMonitor ? (
              <Button variant="filled" loading={rainAt !== null} onClick={() => void makeRain()}>
                Make it rain
              </Button>
            ) : (
              <Button variant="filled" loading={saving.state === 'loading'} onClick={() => void createMonitor()}>
                Create monitor
              </Button>
            )
          }
        >
          {saving.state === 'failed' ? (
            <>
              {saving.failure.message} <TrafficButton id={saving.failure.details.trafficId} />
            </>
          ) : hasMonitor ? (
            `The monitor near ${place} sends a callback to this app.`
          ) : (
            `Create a monitor near ${place}, then make it rain there. The callback opens.`
          )}
        </Door>
      </ul>
    </section>
  );
}

type DoorProps = { title: string; action?: ReactNode; children: ReactNode };

function Door({ title, action, children }: Readonly<DoorProps>) {
  return (
    <li className="rb-row">
      <span className="rb-fill rb-lined">
        <strong>{title}</strong>
        <span className="rb-note">{children}</span>
      </span>
      {action}
    </li>
  );
}
