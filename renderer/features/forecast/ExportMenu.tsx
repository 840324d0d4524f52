// Saves the forecast shown, as its panel offers.
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useId } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { atRest } from '#renderer/ui/at-rest.ts';
import { Panel } from '#renderer/ui/Panel.tsx';
import classes from './ForecastBar.module.css';

const loadChoices = async () => ({ default: (await import('./ExportChoices.tsx')).ExportChoices });
const ExportChoices = lazy(loadChoices);

export function ExportMenu() {
  const id = useId();
  const forecast = useApp((state) => state.forecast.forecast);
  const isThere = forecast !== null;
  useEffect(() => {
    if (isThere) void atRest().then(loadChoices);
  }, [isThere]);
  return (
    <>
      <Button
        px="sm"
        variant="default"
        className={classes.shrinking ?? ''}
        leftSection={<IconDownload size={16} />}
        disabled={!isThere}
        aria-haspopup="dialog"
        popoverTarget={id}
        title="Save the forecast as JSON or CSV"
      >
        <span className={classes.word}>Export</span>
      </Button>
      <Panel id={id} label="Export the forecast" align="end" className={classes.export}>
        <Suspense fallback={null}>{forecast && <ExportChoices forecast={forecast} panelId={id} />}</Suspense>
      </Panel>
    </>
  );
}
