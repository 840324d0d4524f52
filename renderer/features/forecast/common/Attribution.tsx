// The source of the data shown, next to the data, as the licenses require; what places and zones come from is one press away.
import { Anchor, UnstyledButton } from '@mantine/core';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { type ReactNode, useId } from 'react';
import { attributions } from '@rainbell/shared';
import { Panel } from '../../../ui/controls/Panel.tsx';
import classes from './Attribution.module.css';

export function Attribution({ forecasts }: { readonly forecasts: readonly Forecast[] }) {
  const sources = sourcesOf(forecasts);
  const credits = creditsOf(forecasts);
  const id = useId();
  const isSimulated = [...sources].some((source) => /simulat/i.test(source));
  return (
    <footer className={`rb-row rb-wrap rb-fixed rb-note ${classes.attribution}`}>
      {isSimulated && <span>Simulated, not a real forecast.</span>}
      {sources.has('stored') && <span>Stored data: the weather provider isn’t responding.</span>}
      {credits.map(credit)}
      <UnstyledButton className="rb-link rb-small" popoverTarget={id}>
        Data credits
      </UnstyledButton>
      <Panel id={id} label="Data credits" align="end">
        <div className="rb-column">
          {attributions.filter((one) => one.match === null || credits.includes(one)).map(credit)}
        </div>
      </Panel>
    </footer>
  );
}

function sourcesOf(forecasts: readonly Forecast[]): ReadonlySet<string> {
  return new Set(forecasts.flatMap(({ points }) => points.flatMap(({ sources }) => sources ?? [])));
}

/** Whose weather it is; places and zones come from others. */
export function creditsOf(forecasts: readonly Forecast[]) {
  const sources = [...sourcesOf(forecasts)];
  return attributions.filter(({ match }) => match !== null && sources.some((source) => match.test(source)));
}

function credit({ name, credit: words, url, licence }: (typeof attributions)[number]): ReactNode {
  return (
    <span key={name}>
      <Anchor href={url} target="_blank" rel="noreferrer" size="xs">
        {words}
      </Anchor>{' '}
      ({licence})
    </span>
  );
}
