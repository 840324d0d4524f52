// What can be saved of the forecast shown: the response as it was received, or the points as a table.
import { Button } from '@mantine/core';
import { IconFileTypeCsv, IconJson } from '@tabler/icons-react';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { useShownPlace } from '#renderer/store/shown.ts';
import { formatSize } from '#renderer/ui/text/durations.ts';
import { saveFile } from '#renderer/ui/hooks/save-file.ts';
import { forecastCsv, forecastFileName } from './forecast-csv.ts';

type Props = { forecast: Forecast; panelId: string };

export function ExportChoices({ forecast, panelId }: Readonly<Props>) {
  const placeName = useShownPlace().name;
  const name = forecastFileName(placeName, forecast.fetchedAt);
  const { bodyText, sizeBytes } = forecast.response;
  const closing = { popoverTarget: panelId, popoverTargetAction: 'hide' } as const;
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconJson size={16} />}
        {...closing}
        onClick={() => saveFile(`${name}.json`, 'application/json', bodyText)}
      >
        Response as received, JSON ({formatSize(sizeBytes)})
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
    </>
  );
}
