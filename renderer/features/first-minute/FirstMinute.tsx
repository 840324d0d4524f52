// The checklist of the first minute: a forecast, a monitor, a callback.
import { selectForecast } from '../forecast/selectors.ts';
import { selectMonitorSaving } from '../monitors/selectors.ts';
import { plural } from '@rainbell/shared';
import { TrafficButton } from '../../widgets/TrafficButton.tsx';
import { Button, CloseButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useApp } from '../../store/use-app.ts';
import { formatPlace } from '../../ui/text/format-place.ts';
import { isFirstMinute, stepsDone } from './first-minute-slice.ts';
import classes from './FirstMinute.module.css';

/** Until the first callback arrived. */
export function FirstMinuteCard() {
  const isShown = useApp((state) => isFirstMinute(state) && state.settings.values.getStarted !== 'closed');
  return isShown && <FirstMinute />;
}

function FirstMinute() {
  const done = useApp(stepsDone);
  const close = useApp((state) => state.firstMinute.close);
  const create = useApp((state) => state.firstMinute.createMonitor);
  const makeRain = useApp((state) => state.firstMinute.makeRain);
  const isRaining = useApp((state) => state.firstMinute.rainAt !== null);
  const saving = useApp(selectMonitorSaving);
  const isCreating = saving.state === 'loading';
  const points = useApp((state) => selectForecast(state)?.points.length ?? 0);
  const place = formatPlace(useApp((state) => state.settings.values.place));
  return (
    <section className={`rb-card rb-padded ${classes.card}`} aria-labelledby="rb-first-minute">
      <header className="rb-row">
        <h2 id="rb-first-minute">Get started</h2>
        <span className="rb-fill rb-note">{done} of 3</span>
        <CloseButton size="sm" aria-label="Hide “Get started”" onClick={close} />
      </header>
      <ol>
        <Step number={1} done={done} title="See a forecast">
          {points > 0
            ? plural(points, ['{place}, # point from the sandbox', '{place}, # points from the sandbox'], { place })
            : `Loading the forecast for ${place}…`}
        </Step>
        <Step
          number={2}
          done={done}
          title="Create a monitor here"
          action={
            <Button loading={isCreating} onClick={() => void create()}>
              Create monitor
            </Button>
          }
        >
          {saving.state === 'failed' ? (
            <>
              {saving.failure.message} <TrafficButton id={saving.failure.details.trafficId} size="compact-xs" />
            </>
          ) : (
            `The monitor sends a callback to this app when rain is near ${place}.`
          )}
        </Step>
        <Step
          number={3}
          done={done}
          title="Make it rain and watch the callback"
          action={
            <Button loading={isRaining} onClick={() => void makeRain()}>
              Make it rain
            </Button>
          }
        >
          Takes about a second in the sandbox.
        </Step>
      </ol>
    </section>
  );
}

const tones = { done: 'good', next: 'accent', later: 'plain' };

type StepProps = { number: number; done: number; title: string; action?: ReactNode; children: ReactNode };

function Step({ number, done, title, action, children }: Readonly<StepProps>) {
  const state = number <= done ? 'done' : number === done + 1 ? 'next' : 'later';
  return (
    <li className="rb-row" data-state={state} aria-current={state === 'next' ? 'step' : undefined}>
      <span className="rb-mark" data-tone={tones[state]} aria-hidden={state !== 'done'}>
        {state === 'done' ? <IconCheck size={14} role="img" aria-label="Done" /> : number}
      </span>
      <span className="rb-fill rb-lined">
        <strong>{title}</strong>
        <span className="rb-note">{children}</span>
      </span>
      {state === 'next' && action}
    </li>
  );
}
