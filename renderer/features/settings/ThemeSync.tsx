// Applies the chosen theme and density; `system` follows the computer.
import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { useApp } from '../../store/use-app.ts';

export function ThemeSync() {
  const theme = useApp((state) => state.settings.values.theme);
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => setColorScheme(theme === 'system' ? 'auto' : theme), [theme, setColorScheme]);
  const density = useApp((state) => state.settings.values.density);
  useEffect(() => void (document.documentElement.dataset['density'] = density), [density]);
  return null;
}
