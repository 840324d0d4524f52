import { UnstyledButton } from '@mantine/core';
import { useApp } from '../../store/use-app.ts';
import { isFirstMinute } from './first-minute-slice.ts';
import classes from '../frame/StatusBar.module.css';

/** The card, put away. */
export function FirstMinuteStatus() {
  const isAway = useApp((state) => isFirstMinute(state) && state.settings.values.getStarted === 'closed');
  const open = useApp((state) => state.firstMinute.open);
  if (!isAway) return null;
  return (
    <UnstyledButton className={`rb-row rb-note rb-item ${classes.part}`} data-tone="plain" onClick={open}>
      Get started
    </UnstyledButton>
  );
}
