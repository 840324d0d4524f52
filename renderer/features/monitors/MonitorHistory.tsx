// What this app changed on the selected monitor, by which user and when by this computer's clock, and which of its callbacks it
// received.
import { openCallback } from '../callbacks/selectors.ts';
import { UnstyledButton } from '@mantine/core';
import { useEffect } from 'react';
import type { AppMonitor, MonitorHistoryEntry } from '@rainbell/contract/app-rpc';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { timeTitle } from './common/time-title.ts';
import classes from './common/MonitorPanel.module.css';

export function MonitorHistory({ monitor: { id, lastCallback } }: { readonly monitor: AppMonitor }) {
  const { history, loadHistory } = useApp((state) => state.monitors);
  useEffect(() => void loadHistory(id), [id, loadHistory, lastCallback?.id]);
  const entries = history?.id === id ? history.entries : [];
  if (entries.length === 0) return null;
  return (
    <>
      <h3 className={`rb-row rb-eyebrow ${classes.title}`}>History, by this computer’s clock</h3>
      <ul className="rb-small rb-lines" aria-label="History, newest first">
        {entries.map((entry) => (
          <Entry key={`${entry.at} ${entry.kind} ${entry.callbackId}`} entry={entry} />
        ))}
      </ul>
    </>
  );
}

function Entry({ entry: { at, kind, by, changes, callbackId } }: { readonly entry: MonitorHistoryEntry }) {
  const times = useLogTimes();
  const store = useAppStore();
  const instant = Date.parse(at);
  const open = () => {
    if (callbackId !== null) openCallback(store.getState(), callbackId);
    else store.getState().frame.goTo('callbacks');
  };
  return (
    <li className="rb-row rb-wrap">
      <span className="rb-dim" title={timeTitle(instant, times)}>
        {times.dayClock(instant)}
      </span>
      {callbackId === null ? (
        <span>
          <Change kind={kind} by={by} />
        </span>
      ) : (
        <UnstyledButton className="rb-link" onClick={open}>
          Callback {callbackId} received
        </UnstyledButton>
      )}
      {changes.map(({ field, before, after }) => (
        <div key={field} className={`rb-mono rb-small rb-break ${classes.change}`}>
          {field}: {before === null ? '' : `${before} → `}
          {after ?? <>(none)</>}
        </div>
      ))}
    </li>
  );
}

function Change({ kind, by }: Pick<MonitorHistoryEntry, 'kind' | 'by'>) {
  const user = <bdi translate="no">{by}</bdi>;
  switch (kind) {
    case 'created':
      return <>Created by {user}</>;
    case 'changed':
      return <>Changed by {user}</>;
    case 'replaced':
      return <>Replaced by {user}</>;
    case 'deleted':
      return <>Deleted by {user}</>;
    case 'callback':
      return null;
  }
}
