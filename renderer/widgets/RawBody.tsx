// What a service sent that the app could not read: the body as it was received.
import { useState } from 'react';
import { IconFileText } from '@tabler/icons-react';
import type { Exchange } from '#contract/app-rpc/traffic.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { TaskButton } from '#renderer/ui/controls/TaskButton.tsx';
import { Dialog } from '#renderer/ui/dialogs/Dialog.tsx';
import { formatSize } from '#renderer/ui/text/durations.ts';
import { CodeView } from '#renderer/viewers/CodeView.tsx';

export function RawBody({ exchangeId }: { readonly exchangeId: number }) {
  const peek = useApp((state) => state.traffic.peek);
  const show = useApp((state) => state.toasts.show);
  const [exchange, setExchange] = useState<Exchange | null>(null);
  const open = async () => {
    const read = await peek(exchangeId);
    if ('failure' in read) show({ tone: 'bad', message: `Couldn't load the response: ${read.failure.message}` });
    else setExchange(read.exchange);
  };
  return (
    <>
      <TaskButton variant="default" leftSection={<IconFileText size={14} />} task={open}>
        Show raw bytes
      </TaskButton>
      {exchange && (
        <Dialog title="Response body" size="xl" onClose={() => setExchange(null)}>
          <p>{describe(exchange)}</p>
          {exchange.responseBody !== '' && <CodeView source={exchange.responseBody} label="Response body" as="text" />}
        </Dialog>
      )}
    </>
  );
}

function describe({ status, sizeBytes, responseHeaders, truncated, responseBody }: Exchange): string {
  if (responseBody === '') return 'The response has no body.';
  const type = responseHeaders.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no content type';
  const facts = `Status ${status ?? 'unknown'} · ${type} · ${formatSize(sizeBytes)}`;
  return truncated ? `${facts}. Only the first part is stored.` : facts;
}
