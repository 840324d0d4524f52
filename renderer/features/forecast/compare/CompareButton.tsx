// Opens and closes the comparison.
import { Button } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useShownPlace } from '../selectors.ts';
import { useApp } from '../../../store/use-app.ts';
import { labelWithKey } from '../../../ui/text/key-text.ts';
import { forecastCommands } from '@rainbell/shared';

/** Opens the comparison of the place's last two fetches. */
export function CompareButton() {
  const isOpen = useApp((state) => state.compare.sides !== null);
  const openFetches = useApp((state) => state.compare.openFetches);
  const close = useApp((state) => state.compare.close);
  const place = useShownPlace();
  return (
    <Button
      px="sm"
      variant={isOpen ? 'light' : 'default'}
      leftSection={<IconArrowsExchange size={16} />}
      aria-pressed={isOpen}
      aria-keyshortcuts="c"
      title={labelWithKey(
        isOpen ? 'Close the comparison' : 'Compare two forecasts',
        forecastCommands['forecast.compare'],
      )}
      onClick={() => (isOpen ? close() : void openFetches(place))}
    >
      Compare
    </Button>
  );
}
