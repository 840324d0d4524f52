// Commands of a component on show: the palette lists them, and their keys work until it is gone.
import { useEffect, useEffectEvent } from 'react';
import type { CommandTable } from '@rainbell/shared';
import { useAppStore } from './use-app.ts';

/** Offers the commands that have a function; undefined offers none. */
export function useCommands<Table extends CommandTable>(
  table: Table,
  actions: { readonly [Id in keyof Table]?: (() => void) | undefined },
): void {
  const store = useAppStore();
  const run = useEffectEvent((id: keyof Table) => actions[id]?.());
  const offered = Object.keys(table).filter((id) => actions[id] !== undefined);
  const ids = offered.join(' ');
  useEffect(() => {
    if (ids === '') return undefined;
    const commands = ids.split(' ').map((id) => [id, { keys: table[id]?.keys ?? [], run: () => run(id) }] as const);
    return store.getState().commands.offer(new Map(commands));
  }, [store, table, ids]);
}
