// Saves the forecast shown: the response as it was received, or the points as a table.
import { Button, Menu } from '@mantine/core';
import { IconDownload, IconFileTypeCsv, IconJson } from '@tabler/icons-react';
import { useApp } from '#renderer/store/use-app.ts';
import { sizeWords } from '#renderer/ui/durations.ts';
import { saveFile } from '#renderer/ui/save-file.ts';
import { forecastCsv, forecastFileName } from './forecast-csv.ts';

export function ExportMenu() {
  const forecast = useApp((state) => state.forecast.forecast);
  const placeName = useApp((state) => state.settings.values.place.name);
  if (!forecast) return null;
  const name = forecastFileName(placeName, forecast.fetchedAt);
  const { bodyText, sizeBytes } = forecast.response;
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconJson size={16} />}
          onClick={() => saveFile(`${name}.json`, 'application/json', bodyText)}
        >
          Response as received, JSON ({sizeWords(sizeBytes)})
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFileTypeCsv size={16} />}
          onClick={() => saveFile(`${name}.csv`, 'text/csv', forecastCsv(forecast))}
        >
          {forecast.points.length} points as a table, CSV
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
