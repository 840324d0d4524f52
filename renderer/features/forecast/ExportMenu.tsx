// Saves the forecast shown: the response as it was received, or the points as a table.
import { Button, Popover } from '@mantine/core';
import { IconDownload, IconFileTypeCsv, IconJson } from '@tabler/icons-react';
import { useState } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { sizeWords } from '#renderer/ui/durations.ts';
import { saveFile } from '#renderer/ui/save-file.ts';
import { forecastCsv, forecastFileName } from './forecast-csv.ts';
import classes from './ForecastBar.module.css';

export function ExportMenu() {
  const [isOpen, setOpen] = useState(false);
  const forecast = useApp((state) => state.forecast.forecast);
  const placeName = useApp((state) => state.settings.values.place.name);
  if (!forecast) return null;
  const name = forecastFileName(placeName, forecast.fetchedAt);
  const { bodyText, sizeBytes } = forecast.response;
  const save = (ending: string, type: string, text: string) => {
    saveFile(`${name}.${ending}`, type, text);
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          px="sm"
          variant="default"
          className={classes.shrinking ?? ''}
          leftSection={<IconDownload size={16} />}
          onClick={() => setOpen(!isOpen)}
          title="Save the forecast as JSON or CSV"
        >
          <span className={classes.word}>Export</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.export ?? ''} aria-label="Export the forecast">
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconJson size={16} />}
          onClick={() => save('json', 'application/json', bodyText)}
        >
          Response as received, JSON ({sizeWords(sizeBytes)})
        </Button>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconFileTypeCsv size={16} />}
          onClick={() => save('csv', 'text/csv', forecastCsv(forecast))}
        >
          {forecast.points.length} points as a table, CSV
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
