// The source of the data shown, next to the data, as the licenses require; what places and zones come from is one press away.
import { Anchor } from '@mantine/core';
import type { Forecast } from '@rainbell/contract/app-rpc';
import type { ReactNode } from 'react';
import { attributions } from '@rainbell/shared';

export function Attribution({ forecasts }: { readonly forecasts: readonly Forecast[] }) {
  const sources = sourcesOf(forecasts);
  const credits = creditsOf(forecasts);
  const isSimulated = [...sources].some((source) => /simulat/i.test(source));
  return (
    <footer className="rb-row rb-wrap rb-fixed rb-note">
      {isSimulated && <span>Simulated, not a real forecast.</span>}
      {sources.has('stored') && <span>Stored data: the weather provider isn’t responding.</span>}
      {credits.map(credit)}
      <Anchor href="#/help/about" size="xs">
        Data credits
      </Anchor>
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
