// Which connection is in use, and the switch to another. The production colour stands out in the whole header.
import { UnstyledButton } from '@mantine/core';
import { IconCheck, IconChevronDown, IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import type { ConnectionState } from '#contract/app-rpc/app.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { connectionColor } from '#renderer/ui/controls/connection-color.ts';
import { Panel } from '#renderer/ui/controls/Panel.tsx';
import classes from './ConnectionMenu.module.css';

export function ConnectionMenu() {
  const connection = useApp((state) => state.frame.status?.connection);
  const link = useApp((state) => state.frame.link.state);
  if (!connection) {
    return (
      <span className={classes.target}>
        <span className={classes.dot} data-state="starting" /> {link === 'connecting' ? 'connecting…' : 'no connection'}
      </span>
    );
  }
  return <Switcher connection={connection} />;
}

function Switcher({ connection }: { readonly connection: ConnectionState }) {
  const items = useApp((state) => state.connections.items);
  const selectedId = useApp((state) => state.connections.selectedId);
  const select = useApp((state) => state.connections.select);
  const openEditor = useApp((state) => state.connections.openEditor);
  const goTo = useApp((state) => state.frame.goTo);
  const id = useId();
  const closing = { popoverTarget: id, popoverTargetAction: 'hide' } as const;
  const selected = items.find((item) => item.id === selectedId);
  const host = connection.baseUrl === null ? connection.state : formatHost(connection.baseUrl);
  const isProduction = selected?.color === 'red';
  return (
    <>
      <UnstyledButton
        className={classes.target ?? ''}
        data-production={isProduction || undefined}
        aria-haspopup="dialog"
        popoverTarget={id}
        aria-label={`Connection: ${connection.name}, ${connection.state}${isProduction ? ', production' : ''}`}
      >
        {selected && <Swatch color={connectionColor(selected.color)} />}
        <span className={`rb-truncate ${classes.title}`} title={connection.name}>
          {connection.name}
        </span>
        <span className={`rb-mono rb-truncate ${classes.where}`} title={host}>
          {host}
        </span>
        {isProduction && (
          <span className={`rb-badge ${classes.production}`} data-tone="bad">
            production
          </span>
        )}
        <IconChevronDown size={15} aria-hidden className={classes.chevron} />
      </UnstyledButton>
      <Panel id={id} label="Connections" className={classes.menu}>
        <div className={classes.now}>
          <p className="rb-mono">{connection.baseUrl ?? 'no address yet'}</p>
          <p>{connection.problem?.message ?? stateText(connection.state, connection.isSandbox)}</p>
        </div>
        {items.length > 0 && (
          <ul className={classes.list}>
            {items.map((item) => (
              <li key={item.id}>
                <UnstyledButton
                  {...closing}
                  className={classes.item ?? ''}
                  aria-current={item.id === selectedId || undefined}
                  onClick={() => void select(item.id)}
                >
                  <Swatch color={connectionColor(item.color)} />
                  <span className={classes.words}>
                    <span className={classes.name}>{item.name}</span>
                    <span className={classes.host}>{formatHost(item.baseUrl)}</span>
                  </span>
                  {item.id === selectedId && <IconCheck size={15} aria-hidden />}
                </UnstyledButton>
              </li>
            ))}
          </ul>
        )}
        <UnstyledButton {...closing} className={classes.item ?? ''} onClick={() => openEditor({ kind: 'create' })}>
          <IconPlus size={15} aria-hidden /> New connection…
        </UnstyledButton>
        <UnstyledButton {...closing} className={classes.item ?? ''} onClick={() => goTo('connections')}>
          <IconPlugConnected size={15} aria-hidden /> Manage connections…
        </UnstyledButton>
      </Panel>
    </>
  );
}

function Swatch({ color }: { readonly color: string }) {
  return <span className={classes.swatch} style={{ background: color }} />;
}

function formatHost(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\//, '');
}

function stateText(state: ConnectionState['state'], isSandbox: boolean): string {
  if (state === 'starting') return 'The service is starting.';
  if (state === 'failed') return 'The service does not run.';
  return isSandbox
    ? 'The sandbox service that came with the app: your own weather, clock and callbacks, on this machine.'
    : 'Every call goes there.';
}
