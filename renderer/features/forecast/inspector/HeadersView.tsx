// The headers of both ways as they were, with the way to the timing of the same exchange in Traffic.
import { openExchangeOf } from '../../traffic/selectors.ts';
import { Button } from '@mantine/core';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useAppStore } from '../../../store/use-app.ts';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { HeaderTable } from '../../../viewers/HeaderTable.tsx';

export function HeadersView({ forecast }: { readonly forecast: Forecast }) {
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

/** Opens the exchange in Traffic, with its timing. */
export function TimingButton({ forecast }: { readonly forecast: Forecast }) {
  const store = useAppStore();
  return (
    <Button size="compact-xs" variant="subtle" onClick={() => void openExchangeOf(store, forecast)}>
      Open in Traffic
    </Button>
  );
}
