// Puts the chosen theme to work; `system` follows the machine.
import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { useApp } from '#renderer/store/use-app.ts';

export function ThemeSync() {
  const theme = useApp((state) => state.settings.values.theme);
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => setColorScheme(theme === 'system' ? 'auto' : theme), [theme, setColorScheme]);
  return null;
}
