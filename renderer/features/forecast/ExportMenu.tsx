// Saves the forecast shown: the response as it was received, or the points as a table.
import { Button } from '@mantine/core';
import { IconDownload, IconFileTypeCsv, IconJson } from '@tabler/icons-react';
import { useId } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { sizeWords } from '#renderer/ui/durations.ts';
import { Panel } from '#renderer/ui/Panel.tsx';
import { saveFile } from '#renderer/ui/save-file.ts';
import { forecastCsv, forecastFileName } from './forecast-csv.ts';
import classes from './ForecastBar.module.css';

export function ExportMenu() {
  const id = useId();
  const forecast = useApp((state) => state.forecast.forecast);
  const placeName = useApp((state) => state.settings.values.place.name);
  if (!forecast) return null;
  const name = forecastFileName(placeName, forecast.fetchedAt);
  const { bodyText, sizeBytes } = forecast.response;
  const closing = { popoverTarget: id, popoverTargetAction: 'hide' } as const;
  return (
    <>
      <Button
        px="sm"
        variant="default"
        className={classes.shrinking ?? ''}
        leftSection={<IconDownload size={16} />}
        aria-haspopup="dialog"
        popoverTarget={id}
        title="Save the forecast as JSON or CSV"
      >
        <span className={classes.word}>Export</span>
      </Button>
      <Panel id={id} label="Export the forecast" align="end" className={classes.export}>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconJson size={16} />}
          {...closing}
          onClick={() => saveFile(`${name}.json`, 'application/json', bodyText)}
        >
          Response as received, JSON ({sizeWords(sizeBytes)})
        </Button>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFileTypeCsv size={16} />}
          {...closing}
          onClick={() => saveFile(`${name}.csv`, 'text/csv', forecastCsv(forecast))}
        >
          {forecast.points.length} points as a table, CSV
        </Button>
      </Panel>
    </>
  );
}
