// The shape of the forecast while the first one is on its way.
import { Skeleton } from '@mantine/core';

export function ForecastSkeleton() {
  return (
    <div role="status" aria-label="Fetching the forecast" style={{ display: 'grid', gap: 'var(--rb-gap)' }}>
      <Skeleton height={130} radius="md" />
      <Skeleton height={420} radius="md" />
      <Skeleton height={260} radius="md" />
    </div>
  );
}
