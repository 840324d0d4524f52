import { useMediaQuery } from '@mantine/hooks';

/** Whether the window has no room for details beside a list or chart. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(width < 1024px)', false, { getInitialValueInEffect: false });
}
