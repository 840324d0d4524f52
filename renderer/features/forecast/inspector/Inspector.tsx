// The fetch behind the picture: the point's bytes as received, the whole response, the headers of both ways, and curl.
import { Switch } from '@mantine/core';
import { useState } from 'react';
import type { Forecast, ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { useCommands } from '#renderer/store/use-commands.ts';
import { useCopy } from '#renderer/store/use-copy.ts';
import { forecastCommands } from '#shared/commands/forecast-commands.ts';
import { CopyIcon } from '#renderer/ui/controls/CopyIcon.tsx';
import { SegmentedControl } from '#renderer/ui/controls/SegmentedControl.tsx';
import { CodeView } from '#renderer/viewers/CodeView.tsx';
import { type InspectorTab, inspectorTabs } from '#renderer/features/forecast/common/forecast-slice.ts';
import { curlCommand } from './curl.ts';
import { HeadersView } from './HeadersView.tsx';
import { ResponseView } from './ResponseView.tsx';
import classes from './Inspector.module.css';

const tabNames: Readonly<Record<InspectorTab, string>> = {
  point: 'Point',
  response: 'Response',
  headers: 'Headers',
  curl: 'cURL',
};

type Props = { forecast: Forecast; point: ForecastPoint };

export function Inspector({ forecast, point }: Readonly<Props>) {
  const tab = useApp((state) => state.forecast.tab);
  const showTab = useApp((state) => state.forecast.showTab);
  const [isRaw, setRaw] = useState(false);
  const copy = useCopy();
  useCommands(forecastCommands, {
    'pane.point': () => showTab('point'),
    'pane.response': () => showTab('response'),
    'pane.headers': () => showTab('headers'),
    'pane.curl': () => showTab('curl'),
    'forecast.copyJson': () => copy('The response', forecast.response.bodyText),
    'forecast.copyCurl': () => copy('The request as cURL', curlCommand(forecast.request)),
  });
  const { token, problem, toggleToken } = useAskedToken(forecast);
  const pointText = forecast.response.bodyText.slice(...point.textRange);
  const text = copyText(tab, forecast, pointText, token);
  return (
    <section className={`rb-card ${classes.card}`} aria-label="Request and response">
      <div className={classes.head}>
        <SegmentedControl
          size="xs"
          data={inspectorTabs.map((value) => ({ value, label: tabNames[value] }))}
          value={tab}
          onChange={showTab}
          aria-label="What to inspect"
        />
        {tab === 'point' && (
          <Switch
            size="xs"
            label="as received"
            checked={isRaw}
            onChange={(event) => setRaw(event.currentTarget.checked)}
          />
        )}
        {tab === 'curl' && (
          <Switch size="xs" label="with the token" checked={token !== null} onChange={() => void toggleToken()} />
        )}
        <span className={classes.copy}>
          <CopyIcon text={text} label={`Copy: ${tabNames[tab]}`} />
        </span>
      </div>
      {tab === 'point' && (
        <CodeView source={pointText} label="The point as JSON" as={isRaw ? 'text' : 'auto'} maxHeight={420} />
      )}
      {tab === 'response' && <ResponseView forecast={forecast} point={point} />}
      {tab === 'headers' && <HeadersView forecast={forecast} />}
      {tab === 'curl' && (
        <>
          <CodeView source={text} label="The request as a curl command" as="text" />
          {problem !== null && <p role="alert">{problem}</p>}
          <p className={classes.note}>
            {token === null
              ? 'The access token is hidden: set ACCESS_TOKEN in your shell, or put it in by the switch above.'
              : 'This holds the access token of now. Whoever reads it has your access until the token expires.'}
          </p>
        </>
      )}
    </section>
  );
}

/** The access token, fetched when it is asked for and gone with the next forecast. */
function useAskedToken({ fetchedAt }: Forecast) {
  const reveal = useApp((state) => state.session.reveal);
  const isPublic = useApp(
    ({ connections: { items, selectedId } }) => items.find(({ id }) => id === selectedId)?.isPublic,
  );
  const [shown, setShown] = useState<{ token: string; fetchedAt: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const token = shown?.fetchedAt === fetchedAt ? shown.token : null;
  const toggleToken = async () => {
    setProblem(null);
    setShown(null);
    if (token !== null) return;
    const answer = await reveal(isPublic ? 'user' : 'application', 'access_token');
    if ('failure' in answer) setProblem(answer.failure.message);
    else setShown({ token: answer.revealed.token, fetchedAt });
  };
  return { token, problem, toggleToken };
}

function copyText(tab: InspectorTab, forecast: Forecast, pointText: string, token: string | null): string {
  switch (tab) {
    case 'point':
      return pointText;
    case 'response':
      return forecast.response.bodyText;
    case 'headers':
      return [...forecast.response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'curl':
      return curlCommand(forecast.request, token);
  }
}
