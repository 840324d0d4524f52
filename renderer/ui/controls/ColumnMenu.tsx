// The choice of a table's columns.
import { Button, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';

type Props<Key extends string> = {
  all: readonly { key: Key; name: string }[];
  shown: readonly Key[];
  /** In the order of `all`. */
  onChange: (shown: readonly Key[]) => void;
};

export function ColumnMenu<Key extends string>({ all, shown, onChange }: Readonly<Props<Key>>) {
  const toggle = (toggled: Key) =>
    onChange(all.map(({ key }) => key).filter((key) => (key === toggled) !== shown.includes(key)));
  return (
    <Menu>
      <Menu.Target>
        <Button title="Columns" data-tool leftSection={<IconColumns3 />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {all.map(({ key, name }) => (
          <Menu.CheckboxItem key={key} checked={shown.includes(key)} onChange={() => toggle(key)}>
            {name}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
