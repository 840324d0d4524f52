// Opens the help, from the header.
import { ActionIcon } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { frameCommands } from '@rainbell/shared';
import { useApp } from '../../store/use-app.ts';
import { labelWithKey } from '../../ui/text/key-text.ts';

export function HelpButton() {
  const isHere = useApp((state) => state.frame.screen === 'help');
  const goTo = useApp((state) => state.frame.goTo);
  return (
    <ActionIcon
      variant={isHere ? 'light' : 'subtle'}
      color={isHere ? 'rain' : 'gray'}
      aria-label="Help"
      aria-current={isHere ? 'page' : undefined}
      title={labelWithKey('Help', frameCommands['help.open'])}
      onClick={() => goTo('help')}
    >
      <IconHelp aria-hidden />
    </ActionIcon>
  );
}
