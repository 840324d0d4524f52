// Stands where the first forecast will: its shape while it is on its way, and a plain word when none comes.
import { Skeleton } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useApp } from '#renderer/store/use-app.ts';
import { EmptyState } from '#renderer/ui/controls/EmptyState.tsx';

export function WaitingForForecast() {
  const request = useApp((state) => state.forecast.request);
  const connection = useApp((state) => state.frame.status?.connection.state);
  const isStarting = connection === 'starting';
  if (request.state === 'failed' || connection === 'failed') {
    return (
      <section className="rb-card">
        <EmptyState icon={<IconCloudOff size={32} />} title="No forecast yet">
          <p>As soon as the service answers, the next 72 hours of the place appear here.</p>
        </EmptyState>
      </section>
    );
  }
  return (
    <div
      role="status"
      aria-label={isStarting ? 'The weather service is starting' : 'Fetching the forecast'}
      style={{ display: 'grid', gap: 'var(--rb-gap)' }}
    >
      {isStarting && <span>The weather service is starting…</span>}
      <Skeleton height={130} radius="md" />
      <Skeleton height={420} radius="md" />
      <Skeleton height={260} radius="md" />
    </div>
  );
}
