// How many monitors still call the receiver by the URL it had before HTTPS was turned on or off, and the way to them.
import { Anchor } from '@mantine/core';
import { useEffect } from 'react';
import { useApp } from '../../store/use-app.ts';
import { plural } from '@rainbell/shared';
import { isOldUrl } from './table/monitor-rows.ts';

export function OldUrlMonitors() {
  const { items, fetchedAt, load } = useApp((state) => state.monitors);
  const baseUrl = useApp((state) => state.frame.status?.receiver.baseUrl ?? '');
  useEffect(() => {
    if (fetchedAt === null) void load();
  }, [fetchedAt, load]);
  const count = items.filter(({ callbackUri }) => isOldUrl(callbackUri, baseUrl)).length;
  if (count === 0) return null;
  return (
    <p role="status">
      {plural(count, [
        '# monitor still calls the receiver’s old URL.',
        '# monitors still call the receiver’s old URL.',
      ])}{' '}
      <Anchor inherit href="#/monitors?q=callback:old-app">
        Show them to set their callback URL
      </Anchor>
    </p>
  );
}
