// Saves the forecast shown, as its panel offers.
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useId } from 'react';
import { useApp } from '../../store/use-app.ts';
import { Panel } from '../../ui/controls/Panel.tsx';
import classes from './ForecastBar.module.css';
import { ExportChoices } from './ExportChoices.tsx';

export function ExportMenu() {
  const id = useId();
  const forecast = useApp((state) => state.forecast.forecast);
  return (
    <>
      <Button
        px="sm"
        variant="default"
        className={classes.shrinking ?? ''}
        leftSection={<IconDownload size={16} />}
        disabled={forecast === null}
        aria-haspopup="dialog"
        popoverTarget={id}
        title="Save the forecast"
      >
        <span className="rb-hidden">Export</span>
      </Button>
      <Panel id={id} label="Export the forecast" align="end">
        <div className="rb-menu">{forecast && <ExportChoices forecast={forecast} panelId={id} />}</div>
      </Panel>
    </>
  );
}
