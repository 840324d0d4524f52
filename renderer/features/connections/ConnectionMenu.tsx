// Which connection is in use, and the switch to another. The color of a production connection is visible in the whole header.
import { UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId } from 'react';
import type { ConnectionState } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { connectionColor } from '../../ui/controls/connection-color.ts';
import { Panel } from '../../ui/controls/Panel.tsx';
import { ConnectionSwatch, formatHost } from './ConnectionSwatch.tsx';
import classes from './ConnectionMenu.module.css';
import { ConnectionChoices } from './ConnectionChoices.tsx';

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
  const items = useApp((state) => state.connections.items);
  const selectedId = useApp((state) => state.connections.selectedId);
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
        {selected && <ConnectionSwatch color={connectionColor(selected.color)} />}
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
