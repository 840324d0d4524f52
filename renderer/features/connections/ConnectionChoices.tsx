// The open connection menu: the state of the connection in use, and the others.
import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconPlugConnected, IconPlus } from '@tabler/icons-react';
import type { ConnectionState } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { connectionColor } from '../../ui/controls/connection-color.ts';
import { ConnectionSwatch, formatHost } from './ConnectionSwatch.tsx';
import classes from './ConnectionMenu.module.css';

type Props = { connection: ConnectionState; panelId: string };

export function ConnectionChoices({ connection, panelId }: Readonly<Props>) {
  const items = useApp((state) => state.connections.items);
  const selectedId = useApp((state) => state.connections.selectedId);
  const select = useApp((state) => state.connections.select);
  const openEditor = useApp((state) => state.connections.openEditor);
  const goTo = useApp((state) => state.frame.goTo);
  const closing = { popoverTarget: panelId, popoverTargetAction: 'hide' } as const;
  return (
    <>
      <div className="rb-item rb-break">
        <p className="rb-mono">{connection.baseUrl ?? 'no URL yet'}</p>
        <p>{connection.problem?.message ?? stateText(connection.state, connection.isSandbox)}</p>
      </div>
      {items.length > 0 && (
        <ul className={classes.list}>
          {items.map((item) => (
            <li key={item.id}>
              <UnstyledButton
                {...closing}
                className="rb-item rb-row rb-whole"
                aria-current={item.id === selectedId || undefined}
                onClick={() => void select(item.id)}
              >
                <ConnectionSwatch color={connectionColor(item.color)} />
                <span className="rb-fill rb-lined">
                  <span className="rb-strong rb-break">{item.name}</span>
                  <span className="rb-note rb-break">{formatHost(item.baseUrl)}</span>
                </span>
                {item.id === selectedId && <IconCheck size={15} aria-hidden />}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      <UnstyledButton {...closing} className="rb-item rb-row rb-whole" onClick={() => openEditor({ kind: 'create' })}>
        <IconPlus size={15} aria-hidden /> New connection…
      </UnstyledButton>
      <UnstyledButton {...closing} className="rb-item rb-row rb-whole" onClick={() => goTo('connections')}>
        <IconPlugConnected size={15} aria-hidden /> Manage connections…
      </UnstyledButton>
    </>
  );
}

function stateText(state: ConnectionState['state'], isSandbox: boolean): string {
  if (state === 'starting') return 'The service is starting.';
  if (state === 'failed') return 'The service is not running.';
  return isSandbox
    ? 'The built-in service on this computer. You control its weather, clock, and faults.'
    : 'All requests go to this service.';
}
