// Which connection is in use, and the switch to another. The color of a production connection is visible in the whole header.
import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronDown, IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import type { ConnectionState } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { connectionColor } from '../../ui/controls/connection-color.ts';
import { Panel } from '../../ui/controls/Panel.tsx';
import classes from './ConnectionMenu.module.css';

export function ConnectionMenu() {
  const connection = useApp((state) => state.frame.status?.connection);
  const link = useApp((state) => state.frame.link.state);
  if (!connection) {
    return (
      <span className={`rb-row ${classes.target}`}>
        <span className="rb-dot" data-tone="warn" /> {link === 'connecting' ? <>connecting…</> : <>no connection</>}
      </span>
    );
  }
  return <Switcher connection={connection} />;
}

function Switcher({ connection }: { readonly connection: ConnectionState }) {
  const { items, selectedId } = useApp((state) => state.connections);
  const id = useId();
  const selected = items.find((item) => item.id === selectedId);
  const host = connection.baseUrl === null ? connection.state : formatHost(connection.baseUrl);
  const isProduction = selected?.color === 'red';
  return (
    <>
      <UnstyledButton
        className={`rb-row ${classes.target}`}
        data-production={isProduction || undefined}
        aria-haspopup="dialog"
        popoverTarget={id}
        aria-label={
          isProduction
            ? `Connection: ${connection.name}, ${connection.state}, production`
            : `Connection: ${connection.name}, ${connection.state}`
        }
      >
        {selected && <span className="rb-swatch" style={{ background: connectionColor(selected.color) }} />}
        <span className={`rb-truncate rb-strong ${classes.title}`} title={connection.name}>
          {connection.name}
        </span>
        <span className={`rb-mono rb-truncate rb-note ${classes.where}`} title={host}>
          {host}
        </span>
        {isProduction && (
          <span className="rb-badge rb-fixed" data-tone="bad">
            production
          </span>
        )}
        <IconChevronDown size={15} aria-hidden className="rb-fixed rb-dim" />
      </UnstyledButton>
      <Panel id={id} label="Connections" className={classes.menu}>
        <ConnectionChoices connection={connection} panelId={id} />
      </Panel>
    </>
  );
}

type Props = { connection: ConnectionState; panelId: string };

function ConnectionChoices({ connection, panelId }: Readonly<Props>) {
  const { items, selectedId, select, openEditor } = useApp((state) => state.connections);
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
                <span className="rb-swatch" style={{ background: connectionColor(item.color) }} />
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

function formatHost(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\//, '');
}
