// The fetch behind the picture: the point's bytes as received, the whole response, the headers of both ways, and curl.
import { Switch } from '@mantine/core';
import { useState } from 'react';
import type { Forecast, ForecastPoint } from '#contract/app-rpc/forecast.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { useCommands } from '#renderer/store/use-commands.ts';
import { forecastCommands } from '#shared/commands/forecast-commands.ts';
import { CopyIcon } from '#renderer/ui/controls/CopyIcon.tsx';
import { SegmentedControl } from '#renderer/ui/controls/SegmentedControl.tsx';
import { CodeView } from '#renderer/viewers/CodeView.tsx';
import { curlCommand } from './curl.ts';
import { HeadersView } from './HeadersView.tsx';
import { ResponseView } from './ResponseView.tsx';
import classes from './Inspector.module.css';

const tabs = ['Point', 'Response', 'Headers', 'cURL'] as const;
type Tab = (typeof tabs)[number];

type Props = { forecast: Forecast; point: ForecastPoint };

export function Inspector({ forecast, point }: Readonly<Props>) {
  const [tab, setTab] = useState<Tab>('Point');
  const [isRaw, setRaw] = useState(false);
  useCommands(forecastCommands, {
    'pane.point': () => setTab('Point'),
    'pane.response': () => setTab('Response'),
    'pane.headers': () => setTab('Headers'),
    'pane.curl': () => setTab('cURL'),
  });
  const { token, problem, toggleToken } = useAskedToken(forecast);
  const pointText = forecast.response.bodyText.slice(...point.textRange);
  const text = copyText(tab, forecast, pointText, token);
  return (
    <section className={`rb-card ${classes.card}`} aria-label="Request and response">
      <div className={classes.head}>
        <SegmentedControl
          size="xs"
          data={tabs.map((value) => ({ value, label: value }))}
          value={tab}
          onChange={setTab}
          aria-label="What to inspect"
        />
        {tab === 'Point' && (
          <Switch
            size="xs"
            label="as received"
            checked={isRaw}
            onChange={(event) => setRaw(event.currentTarget.checked)}
          />
        )}
        {tab === 'cURL' && (
          <Switch size="xs" label="with the token" checked={token !== null} onChange={() => void toggleToken()} />
        )}
        <span className={classes.copy}>
          <CopyIcon text={text} label={`Copy: ${tab}`} />
        </span>
      </div>
      {tab === 'Point' && (
        <CodeView source={pointText} label="The point as JSON" as={isRaw ? 'text' : 'auto'} maxHeight={420} />
      )}
      {tab === 'Response' && <ResponseView forecast={forecast} point={point} />}
      {tab === 'Headers' && <HeadersView forecast={forecast} />}
      {tab === 'cURL' && (
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

function copyText(tab: Tab, forecast: Forecast, pointText: string, token: string | null): string {
  switch (tab) {
    case 'Point':
      return pointText;
    case 'Response':
      return forecast.response.bodyText;
    case 'Headers':
      return [...forecast.response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'cURL':
      return curlCommand(forecast.request, token);
  }
}
