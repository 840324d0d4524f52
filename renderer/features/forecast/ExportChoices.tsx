// What can be saved of the forecast shown: response, points, and chart.
import { Button } from '@mantine/core';
import { IconFileTypeCsv, IconFileTypePng, IconJson } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Forecast } from '@rainbell/contract/app-rpc';
import { useShownPlace } from './selectors.ts';
import { useApp } from '../../store/use-app.ts';
import { formatSize } from '../../ui/text/durations.ts';
import { attributions, plural } from '@rainbell/shared';
import { formatPlace } from '../../ui/text/format-place.ts';
import { saveFile } from '../../ui/hooks/save-file.ts';
import { useTimes } from '../../widgets/use-units.ts';
import { chartPicture, pngOf } from './chart-picture.ts';
import { useShownZone } from './common/use-shown-zone.ts';
import { forecastCsv, forecastFileName } from './forecast-csv.ts';

type Props = { forecast: Forecast; panelId: string };

export function ExportChoices({ forecast, panelId }: Readonly<Props>) {
  const place = useShownPlace();
  const times = useTimes(useShownZone(forecast).zone);
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
        credits(forecast),
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
  const choice = (icon: ReactNode, label: string, onClick: () => void, isDisabled = false) => (
    <Button
      variant="subtle"
      color="gray"
      leftSection={icon}
      popoverTarget={panelId}
      popoverTargetAction="hide"
      disabled={isDisabled}
      onClick={onClick}
    >
      {label}
    </Button>
  );
  return (
    <>
      {choice(<IconJson size={16} />, `Save the response, JSON (${formatSize(sizeBytes)})`, () =>
        saveFile(`${name}.json`, 'application/json', bodyText),
      )}
      {choice(
        <IconFileTypeCsv size={16} />,
        plural(forecast.points.length, ['Save # point, CSV', 'Save # points, CSV']),
        () => saveFile(`${name}.csv`, 'text/csv', forecastCsv(forecast)),
      )}
      {choice(<IconFileTypePng size={16} />, 'Save the chart, PNG', () => void savePng(), !hasChart)}
    </>
  );
}

/** Credits its sources, as their licenses ask for it. */
function credits({ points }: Forecast): string {
  const sources = new Set(points.flatMap((point) => point.sources ?? []));
  return attributions
    .filter(({ match }) => match !== null && [...sources].some((source) => match.test(source)))
    .map(({ credit, licence }) => `${credit} (${licence}).`)
    .join(' ');
}
