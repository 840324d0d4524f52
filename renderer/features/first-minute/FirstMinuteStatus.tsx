import { UnstyledButton } from '@mantine/core';
import { useApp } from '../../store/use-app.ts';
import { isFirstMinute, stepsDone } from './first-minute-slice.ts';
import classes from '../frame/StatusBar.module.css';

/** The first steps, put away. */
export function FirstMinuteStatus() {
  const done = useApp(stepsDone);
  const isAway = useApp((state) => isFirstMinute(state) && state.settings.values.getStarted === 'closed');
  const open = useApp((state) => state.firstMinute.open);
  if (!isAway) return null;
  return (
    <UnstyledButton className={`rb-row rb-note rb-item ${classes.part}`} data-tone="plain" onClick={open}>
      <span>{`Get started ${done}/3`}</span>
    </UnstyledButton>
  );
}
