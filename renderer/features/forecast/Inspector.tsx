// The fetch behind the picture: the point's bytes as received, the whole response, the headers of both ways, and curl.
import { SegmentedControl, Switch } from '@mantine/core';
import { useState } from 'react';
import type { HeaderList } from '#contract/procedures/base.ts';
import type { Forecast, ForecastPoint } from '#contract/procedures/forecast.ts';
import { CodeView } from '#renderer/ui/CodeView.tsx';
import { CopyIcon } from '#renderer/ui/CopyIcon.tsx';
import { isJson } from '#renderer/ui/json-text.ts';
import { curlCommand } from './curl.ts';
import { ResponseView } from './ResponseView.tsx';
import classes from './Inspector.module.css';

const tabs = ['Point', 'Response', 'Headers', 'cURL'] as const;
type Tab = (typeof tabs)[number];

type Props = { forecast: Forecast; point: ForecastPoint };

export function Inspector({ forecast, point }: Readonly<Props>) {
  const [tab, setTab] = useState<Tab>('Point');
  const [isRaw, setRaw] = useState(false);
  const pointText = forecast.response.bodyText.slice(...point.textRange);
  const text = copyText(tab, forecast, pointText);
  return (
    <section className={`rb-card ${classes.card}`} aria-label="Request and response">
      <div className={classes.head}>
        <SegmentedControl
          size="xs"
          data={[...tabs]}
          value={tab}
          onChange={(value) => setTab(value as Tab)}
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
        <span className={classes.copy}>
          <CopyIcon text={text} label={`Copy: ${tab}`} />
        </span>
      </div>
      {tab === 'Point' && <CodeView text={pointText} label="The point as JSON" isJson={!isRaw && isJson(pointText)} />}
      {tab === 'Response' && <ResponseView forecast={forecast} point={point} />}
      {tab === 'Headers' && <Headers forecast={forecast} />}
      {tab === 'cURL' && (
        <>
          <CodeView text={text} label="The request as a curl command" />
          <p className={classes.note}>The access token is hidden; put one in before you run it.</p>
        </>
      )}
    </section>
  );
}

function copyText(tab: Tab, forecast: Forecast, pointText: string): string {
  switch (tab) {
    case 'Point':
      return pointText;
    case 'Response':
      return forecast.response.bodyText;
    case 'Headers':
      return [...forecast.response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    case 'cURL':
      return curlCommand(forecast.request);
  }
}

function Headers({ forecast: { request, response, tookMs } }: { readonly forecast: Forecast }) {
  return (
    <div className={classes.headers}>
      <h3>
        Response · HTTP {response.status} · {Math.round(tookMs)} ms
      </h3>
      <HeaderTable headers={response.headers} />
      <h3>
        Request · {request.method} <span className="rb-mono">{request.url}</span>
      </h3>
      <HeaderTable headers={request.headers} />
    </div>
  );
}

function HeaderTable({ headers }: { readonly headers: HeaderList }) {
  return (
    <table className={`rb-mono ${classes.headerTable}`}>
      <tbody>
        {headers.map(([name, value], index) => (
          // Headers may come twice with one name; their place is their identity.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
