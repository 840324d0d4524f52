// Says what the receiver answers now, and opens the rules.
import { Button } from '@mantine/core';
import { IconArrowBack, IconPlayerPause } from '@tabler/icons-react';
import { useApp } from '../../store/use-app.ts';
import { rulesSummary } from './rule-form.ts';

export function RulesButton() {
  const values = useApp((state) => state.rules.values);
  const open = useApp((state) => state.rules.open);
  const isPaused = values !== null && values.pause !== 'off';
  return (
    <Button
      variant={isPaused ? 'light' : 'default'}
      color={isPaused ? 'orange' : 'rain'}
      leftSection={isPaused ? <IconPlayerPause /> : <IconArrowBack />}
      disabled={values === null}
      onClick={() => open(true)}
    >
      {rulesSummary(values)}
    </Button>
  );
}
