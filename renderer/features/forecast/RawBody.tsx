// The body behind a failed fetch, as received, on the screen that it failed on.
import { useEffect } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { formatSize } from '#renderer/ui/text/durations.ts';
import { CodeView } from '#renderer/viewers/CodeView.tsx';

const mostHeight = 320;

/** `exchangeId`: of the traffic log. Nothing is shown if it has no body. */
export function RawBody({ exchangeId }: { readonly exchangeId: number }) {
  const select = useApp((state) => state.traffic.select);
  const exchange = useApp(({ traffic }) => (traffic.selected?.id === exchangeId ? traffic.selected : null));
  useEffect(() => void select(exchangeId), [select, exchangeId]);
  if (!exchange || exchange.responseBody === '') return null;
  const { responseBody, truncated } = exchange;
  const size = formatSize(new TextEncoder().encode(responseBody).length);
  return (
    <section aria-labelledby="rb-raw-body">
      <h2 id="rb-raw-body" className="rb-eyebrow">
        {`Body as received, ${truncated ? `the first ${size}` : size}`}
      </h2>
      <CodeView source={responseBody} label="The body as received" as="text" maxHeight={mostHeight} />
    </section>
  );
}
