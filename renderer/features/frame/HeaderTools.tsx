// Help, and the light or the dark theme ("System" is in Settings): in the header, and under More if the window is narrow.
import { ActionIcon, useComputedColorScheme } from '@mantine/core';
import { IconHelp, IconMoon, IconSun } from '@tabler/icons-react';
import { frameCommands } from '@rainbell/shared';
import { useApp } from '../../store/use-app.ts';
import { labelWithKey } from '../../ui/text/key-text.ts';

export function HeaderTools() {
  const isHelp = useApp((state) => state.frame.screen === 'help');
  const goTo = useApp((state) => state.frame.goTo);
  const update = useApp((state) => state.settings.update);
  const next = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  const label = next === 'dark' ? 'Use the dark theme' : 'Use the light theme';
  return (
    <>
      <ActionIcon
        variant={isHelp ? 'light' : 'subtle'}
        color={isHelp ? 'rain' : 'gray'}
        aria-label="Help"
        aria-current={isHelp ? 'page' : undefined}
        title={labelWithKey('Help', frameCommands['help.open'])}
        onClick={() => goTo('help')}
      >
        <IconHelp />
      </ActionIcon>
      <ActionIcon color="gray" title={label} aria-label={label} onClick={() => void update({ theme: next })}>
        {next === 'dark' ? <IconMoon size={18} /> : <IconSun size={18} />}
      </ActionIcon>
    </>
  );
}
