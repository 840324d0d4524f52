// What can be saved of the forecast shown: response, points, and chart.
import { IconFileTypeCsv, IconFileTypePng, IconJson } from '@tabler/icons-react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useShownPlace } from './selectors.ts';
import { useApp } from '../../store/use-app.ts';
import { formatSize } from '../../ui/text/durations.ts';
import { plural } from '@rainbell/shared';
import { formatPlace } from '../../ui/text/format-place.ts';
import { saveFile } from '../../ui/hooks/save-file.ts';
import { MenuChoice } from '../../ui/controls/Panel.tsx';
import { creditsOf } from './common/Attribution.tsx';
import { chartPicture, pngOf } from './chart-picture.ts';
import { useShownTimes } from './common/use-shown-times.ts';
import { forecastCsv, forecastFileName } from './forecast-csv.ts';

export function ExportChoices({ forecast }: { readonly forecast: Forecast }) {
  const place = useShownPlace();
  const times = useShownTimes(forecast);
  const show = useApp((state) => state.toasts.show);
  const name = forecastFileName(place.name, forecast.fetchedAt);
  const { bodyText, sizeBytes } = forecast.response;
  const fetchedAt = Date.parse(forecast.fetchedAt);
  const picture = () => {
    const days = forecast.points.flatMap(({ at }) => (at === null ? [] : [times.day(Date.parse(at))]));
    return chartPicture(
      [...document.querySelectorAll<SVGSVGElement>('[data-chart] svg[data-part]')],
      [
        formatPlace(place),
        `${days[0] ?? ''} to ${days.at(-1) ?? ''}. Fetched ${times.dayClock(fetchedAt)} ${times.zoneName(fetchedAt)} from ${forecast.connectionName}`,
        // As their licenses ask for it.
        creditsOf([forecast])
          .map(({ credit, licence }) => `${credit} (${licence}).`)
          .join(' '),
      ],
    );
  };
  const savePng = async () => {
    try {
      saveFile(`${name}.png`, 'image/png', await pngOf(picture()));
    } catch {
      show({ tone: 'bad', message: 'Couldn’t create the PNG.' });
    }
  };
  const hasChart = document.querySelector('[data-chart] svg[data-part]') !== null;
  return (
    <>
      <MenuChoice leftSection={<IconJson />} onClick={() => saveFile(`${name}.json`, 'application/json', bodyText)}>
        {`Save the response, JSON (${formatSize(sizeBytes)})`}
      </MenuChoice>
      <MenuChoice
        leftSection={<IconFileTypeCsv />}
        onClick={() => saveFile(`${name}.csv`, 'text/csv', forecastCsv(forecast))}
      >
        {plural(forecast.points.length, ['Save # point, CSV', 'Save # points, CSV'])}
      </MenuChoice>
      <MenuChoice leftSection={<IconFileTypePng />} disabled={!hasChart} onClick={() => void savePng()}>
        Save the chart, PNG
      </MenuChoice>
    </>
  );
}
