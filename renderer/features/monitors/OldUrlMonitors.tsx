// The monitors that still call the receiver by the URL it had before HTTPS was turned on or off, and a button to move them.
import { Anchor, Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useApp } from '../../store/use-app.ts';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { plural } from '@rainbell/shared';
import { currentUrl } from './current-url.ts';

export function OldUrlMonitors() {
  const { items, fetchedAt, load, bulk, setCallbackOf } = useApp((state) => state.monitors);
  const baseUrl = useApp((state) => state.frame.status?.receiver.baseUrl ?? '');
  const [hasMoved, setMoved] = useState(false);
  useEffect(() => {
    if (fetchedAt === null) void load();
  }, [fetchedAt, load]);
  const old = items.filter(({ callbackUri }) => currentUrl(callbackUri, baseUrl) !== undefined);
  if (old.length === 0) return null;
  const failed = hasMoved ? (bulk?.failures ?? []) : [];
  const count = plural(old.length, ['# monitor', '# monitors']);
  const move = () => {
    setMoved(true);
    void setCallbackOf(old, ({ callbackUri }) => ({ kind: 'address', uri: currentUrl(callbackUri, baseUrl) ?? '' }));
  };
  return (
    <section className="rb-box rb-column" aria-label="Monitors with the old URL">
      <p className="rb-dim">{`The receiver’s URL is now ${baseUrl}. Still using the old URL: ${count}.`}</p>
      <ul className="rb-column rb-tight rb-short">
        {old.map(({ id, name, callbackUri }) => (
          <li key={id}>
            <Anchor inherit href={`#/monitors/${encodeURIComponent(id)}`}>
              <ForeignText text={name === '' ? id : name} limit={120} />
            </Anchor>{' '}
            <span className="rb-mono">
              <ForeignText text={callbackUri ?? ''} limit={200} />
            </span>
          </li>
        ))}
      </ul>
      {failed[0] && (
        <p role="alert">
          {plural(failed.length, ['Couldn’t switch # monitor: {message}', 'Couldn’t switch # monitors: {message}'], {
            message: failed[0].message,
          })}
        </p>
      )}
      <div className="rb-buttons">
        <Button variant="filled" loading={bulk?.isRunning === true} onClick={move}>
          {plural(old.length, ['Switch # monitor to the new URL', 'Switch # monitors to the new URL'])}
        </Button>
      </div>
    </section>
  );
}
