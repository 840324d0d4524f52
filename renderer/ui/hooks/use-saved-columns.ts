// Which columns a table shows, remembered in this window's own storage.
import { useState } from 'react';
import { readSavedList, save } from '../window-storage.ts';

export function useSavedColumns<Key extends string>(
  storageKey: string,
  all: readonly { key: Key }[],
  defaults: readonly Key[],
): [columns: readonly Key[], choose: (wanted: readonly Key[]) => void] {
  const [columns, setColumns] = useState(() => {
    const saved = readSavedList(storageKey);
    return saved ? all.map(({ key }) => key).filter((key) => saved.includes(key)) : defaults;
  });
  const choose = (wanted: readonly Key[]) => {
    setColumns(wanted);
    save(storageKey, JSON.stringify(wanted));
  };
  return [columns, choose];
}
