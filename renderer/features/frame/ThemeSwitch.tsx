// Switches between the light and the dark theme; "System" is in Settings.
import { ActionIcon, useComputedColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { useApp } from '../../store/use-app.ts';

export function ThemeSwitch() {
  const update = useApp((state) => state.settings.update);
  const next = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  const label = next === 'dark' ? 'Use the dark theme' : 'Use the light theme';
  return (
    <ActionIcon color="gray" title={label} aria-label={label} onClick={() => void update({ theme: next })}>
      {next === 'dark' ? <IconMoon size={18} aria-hidden /> : <IconSun size={18} aria-hidden />}
    </ActionIcon>
  );
}
