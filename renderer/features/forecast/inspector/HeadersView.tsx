// The headers of both ways as they were, with the way to the timing of the same exchange in Traffic.
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
export function TimingButton({ forecast: { request, fetchedAt } }: { readonly forecast: Forecast }) {
  const store = useAppStore();
  const open = async () => {
    const { frame, traffic } = store.getState();
    frame.goTo('traffic');
    const text = request.url.slice(0, maxFilterCharacters);
    await traffic.setFilter({ text, kind: 'any', connectionId: null, failedOnly: false });
    const distance = (at: string, tookMs: number) => Math.abs(Date.parse(at) + tookMs - Date.parse(fetchedAt));
    const [nearest] = store
      .getState()
      .traffic.rows.toSorted((a, b) => distance(a.at, a.tookMs) - distance(b.at, b.tookMs));
    if (nearest) await traffic.select(nearest.id);
  };
  return (
    <Button size="compact-xs" variant="subtle" onClick={() => void open()}>
      Open in Traffic
    </Button>
  );
}

/** As many as the search of Traffic takes. */
const maxFilterCharacters = 200;
