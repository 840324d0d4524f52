// The source of the data shown, next to the data, as the licenses require.
import { Anchor } from '@mantine/core';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { attributions } from '@rainbell/shared';
import classes from './Attribution.module.css';

export function Attribution({ forecasts }: { readonly forecasts: readonly Forecast[] }) {
  const points = forecasts.flatMap((forecast) => forecast.points);
  const sources = new Set(points.flatMap(({ sources: names }) => names ?? []));
  const isUsed = (match: RegExp | null) => match === null || [...sources].some((source) => match.test(source));
  const isSimulated = [...sources].some((source) => /simulat/i.test(source));
  return (
    <footer className={`rb-row rb-wrap rb-fixed rb-note ${classes.attribution}`}>
      {isSimulated && <span>Simulated, not a real forecast.</span>}
      {sources.has('stored') && <span>Stored data: the weather provider isn’t responding.</span>}
      {attributions
        .filter(({ match }) => isUsed(match))
        .map(({ name, credit, url, licence }) => (
          <span key={name}>
            <Anchor href={url} target="_blank" rel="noreferrer" size="xs">
              {credit}
            </Anchor>{' '}
            ({licence})
          </span>
        ))}
    </footer>
  );
}
