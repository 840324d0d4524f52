// Leads from the callbacks to the screen that develops a handler for them.
import { Button } from '@mantine/core';
import { IconHammer } from '@tabler/icons-react';
import { useApp } from '../../store/use-app.ts';

export function HandlerButton() {
  const goTo = useApp((state) => state.frame.goTo);
  return (
    <Button leftSection={<IconHammer />} onClick={() => goTo('handler')}>
      Develop a handler
    </Button>
  );
}
