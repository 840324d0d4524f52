// The fetch behind the picture: the point's bytes as received, the whole response, the headers of both ways, and curl. Loaded after the
// chart is drawn.
import { selectReveal } from '../../access/selectors.ts';
import { selectActiveConnection } from '../../connections/selectors.ts';
import { Button, Switch } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { memo, useState } from 'react';
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { useApp, useAppStore } from '../../../store/use-app.ts';
import { CopyIcon } from '../../../ui/controls/CopyIcon.tsx';
import { ScrollRegion } from '../../../ui/controls/ScrollRegion.tsx';
import { CodeView } from '../../../viewers/CodeView.tsx';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { shownCursor, tabNames } from '../common/forecast-slice.ts';
import { maskText } from '@rainbell/shared';
import { requestCode } from '../../../viewers/request-code.ts';
import { PointCard } from './PointCard.tsx';
import { JsonPane } from './JsonPane.tsx';
import { openExchangeOf } from '../../traffic/selectors.ts';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { HeaderTable } from '../../../viewers/HeaderTable.tsx';

type Props = { forecast: Forecast; times: ZonedTimes };

/** Ten times a second: drawing the pane takes several times as long as moving the cursor over the chart. */
const followEveryMs = 100;

export function Inspector({ forecast, times }: Readonly<Props>) {
  const cursor = useThrottledValue(
    useApp((state) => shownCursor(state.forecast)),
    followEveryMs,
  );
  return <Tabs forecast={forecast} point={forecast.points[cursor] ?? forecast.points[0]} times={times} />;
}

type TabsProps = Props & { point: ForecastPoint | undefined };

const Tabs = memo(function Tabs({ forecast, point, times }: Readonly<TabsProps>) {
  const tab = useApp((state) => state.forecast.tab);
  const { token, problem, toggleToken } = useRevealedToken(forecast);
  const text = tab === 'curl' ? requestCode('cURL', withToken(forecast.request, token)) : headersText(forecast);
  const bar = (
    <div className="rb-row">
      {tab === 'curl' && (
        <Switch size="xs" label="Include the token" checked={token !== null} onChange={() => void toggleToken()} />
      )}
      <span className="rb-end">
        <CopyIcon text={text} label={`Copy: ${tabNames[tab]}`} />
      </span>
    </div>
  );
  return (
    <>
      {tab === 'point' && (
        <ScrollRegion className="rb-fill rb-scroll" label="Point values">
          {point ? <PointCard forecast={forecast} point={point} times={times} /> : <p>The response has no points.</p>}
        </ScrollRegion>
      )}
      {tab === 'json' && <JsonPane forecast={forecast} point={point} times={times} />}
      {tab === 'headers' && (
        <div className="rb-fill rb-scroll">
          {bar}
          <HeadersView forecast={forecast} />
        </div>
      )}
      {tab === 'curl' && (
        <div className="rb-fill rb-scroll">
          {bar}
          <CodeView source={text} label="The request as a curl command" as="text" />
          {problem !== null && <p role="alert">{problem}</p>}
          <p className="rb-note">
            {token === null
              ? 'The access token is hidden. Set ACCESS_TOKEN in your shell, or turn on the switch above.'
              : 'Contains your access token. Anyone with this text can use it until it expires.'}
          </p>
        </div>
      )}
      <FetchLine forecast={forecast} />
    </>
  );
});

/** The exchange behind everything, and the way to it and its timing. */
function FetchLine({ forecast }: { readonly forecast: Forecast }) {
  const store = useAppStore();
  const { request, response, tookMs } = forecast;
  return (
    <p className="rb-row rb-wrap rb-fixed rb-note rb-bar">
      <span className="rb-mono rb-truncate" title={`${request.method} ${pathOf(request.url)}`}>
        {request.method} {pathOf(request.url)}
      </span>
      <span className="rb-badge" data-tone={response.status < 300 ? 'good' : 'warn'}>
        {response.status}
      </span>
      <span>{Math.round(tookMs)} ms</span>
      <Button size="compact-xs" variant="subtle" onClick={() => void openExchangeOf(store, forecast)}>
        Open in Traffic
      </Button>
    </p>
  );
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname;
  } catch {
    return url;
  }
}

function headersText({ response }: Forecast): string {
  return response.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function withToken(request: Forecast['request'], token: string | null): Forecast['request'] {
  if (token === null) return request;
  return {
    ...request,
    headers: request.headers.map(([name, value]) => [name, value.replaceAll(maskText, () => token)]),
  };
}

/** The access token, fetched when the user reveals it, and cleared with the next forecast. */
function useRevealedToken({ fetchedAt }: Forecast) {
  const reveal = useApp(selectReveal);
  const isPublic = useApp((state) => selectActiveConnection(state)?.isPublic);
  const [shown, setShown] = useState<{ token: string; fetchedAt: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const token = shown?.fetchedAt === fetchedAt ? shown.token : null;
  const toggleToken = async () => {
    setProblem(null);
    setShown(null);
    if (token !== null) return;
    const { value, failure } = await reveal(isPublic ? 'user' : 'application', 'access_token');
    if (failure) setProblem(failure.message);
    else setShown({ token: value.token, fetchedAt });
  };
  return { token, problem, toggleToken };
}

function HeadersView({ forecast }: { readonly forecast: Forecast }) {
  const { request, response, tookMs } = forecast;
  return (
    <div className="rb-column rb-break">
      <h3>
        Response · HTTP {response.status} · {Math.round(tookMs)} ms
      </h3>
      <HeaderTable headers={response.headers} />
      <h3>
        {`Request · ${request.method}`}{' '}
        <span className="rb-mono">
          <ForeignText text={request.url} canShowMore />
        </span>
      </h3>
      <HeaderTable headers={request.headers} />
    </div>
  );
}
