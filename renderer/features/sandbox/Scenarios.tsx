// "Make it rain": weather applied to a place for some minutes, and what is applied now.
import { Button, FileButton, NativeSelect } from '@mantine/core';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconCloudRain, IconFileSpreadsheet } from '@tabler/icons-react';
import { useState } from 'react';
import type { Place } from '@rainbell/contract/app-rpc';
import {
  type Rain,
  readRainSeries,
  type SandboxState,
  seriesMaxCharacters,
  statuses,
} from '@rainbell/contract/service-api';
import { readText, visibleText } from '@rainbell/shared';
import { useShownPlace } from '../forecast/selectors.ts';
import { useApp } from '../../store/use-app.ts';
import { Card } from '../../ui/controls/Card.tsx';
import { formatCoordinates, formatDuration } from '../../ui/text/durations.ts';
import { formatPlace } from '../../ui/text/format-place.ts';
import { WeatherFields } from '../../widgets/WeatherFields.tsx';
import { PlaceSearch } from '../../widgets/PlaceSearch.tsx';
import { useNow } from '../../ui/hooks/use-now.ts';

const choices = statuses.filter((status) => status !== 'unknown');

export function Scenarios({ state }: { readonly state: SandboxState }) {
  const startPlace = useShownPlace();
  const { addScenario, clearScenarios, control } = useApp((all) => all.sandbox);
  const isBusy = control.state === 'loading';
  const [place, setPlace] = useState<Place | null>(null);
  const [status, setStatus] = useState<(typeof choices)[number]>('rainy');
  const [weather, setWeather] = useState<Rain>({});
  const chosen = place ?? startPlace;
  const lay = () => {
    const { minutes = 20, ...values } = weather;
    const center = { lat: chosen.lat, lng: chosen.lng };
    return addScenario({ center, status, minutes, ...values }, formatPlace(chosen));
  };
  return (
    <Card title="Make it rain" section="scenarios">
      <PlaceSearch field="sandbox" label="Place" isLabelShown place={chosen} onPick={setPlace} />
      <div className="rb-row rb-wrap">
        <NativeSelect
          label="Weather"
          data={choices}
          value={status}
          onChange={(event) => setStatus(event.currentTarget.value as typeof status)}
          w={150}
        />
        <WeatherFields weather={weather} onChange={setWeather} />
      </div>
      <div className="rb-row rb-wrap">
        <TaskButton variant="filled" leftSection={<IconCloudRain />} disabled={isBusy} task={lay}>
          Apply scenario
        </TaskButton>
        <SeriesButton place={chosen} isBusy={isBusy} />
      </div>
      <ScenarioList state={state} onClear={clearScenarios} isBusy={isBusy} />
    </Card>
  );
}

/** Weather that changes, from a file. */
function SeriesButton({ place, isBusy }: { readonly place: Place; readonly isBusy: boolean }) {
  const addSeries = useApp((all) => all.sandbox.addSeries);
  const [problem, setProblem] = useState<string | null>(null);
  const load = async (file: File | null) => {
    if (file === null) return;
    // No character has more bytes.
    const isLong = file.size > 4 * seriesMaxCharacters;
    const csv = isLong ? '' : readText(new Uint8Array(await file.arrayBuffer())).text;
    const steps = isLong ? 'it is too long for a series.' : readRainSeries(csv);
    setProblem(typeof steps === 'string' ? `${visibleText(file.name)}: ${steps}` : null);
    if (typeof steps !== 'string')
      await addSeries({ center: { lat: place.lat, lng: place.lng }, csv }, formatPlace(place));
  };
  return (
    <>
      <FileButton accept=".csv,text/csv" onChange={(file) => void load(file)}>
        {(props) => (
          <Button {...props} disabled={isBusy} leftSection={<IconFileSpreadsheet />}>
            Load series (CSV)…
          </Button>
        )}
      </FileButton>
      {problem !== null && <p role="alert">{problem}</p>}
    </>
  );
}

type ListProps = { state: SandboxState; onClear: () => Promise<void>; isBusy: boolean };

function ScenarioList({ state, onClear, isBusy }: Readonly<ListProps>) {
  const now = Math.max(useNow(5000) + state.clock.aheadSeconds * 1000, Date.parse(state.clock.now));
  if (state.scenarios.length === 0) return <p className="rb-dim">No active scenarios</p>;
  return (
    <>
      <ul className="rb-lines rb-whole">
        {state.scenarios.map(({ id, status, center, radiusKm, startsAt, endsAt }) => {
          const left = Date.parse(endsAt) - now;
          const starts = Date.parse(startsAt) - now;
          return (
            <li className="rb-row rb-wrap" key={id}>
              <strong>{status}</strong>
              <span className="rb-mono">{formatCoordinates(center)}</span>
              <span className="rb-dim">within {radiusKm} km</span>
              <span className="rb-dim rb-end">
                {left <= 0
                  ? 'Ended'
                  : starts > 0
                    ? `Starts in ${formatDuration(starts)}`
                    : `Ends in ${formatDuration(left)}`}
              </span>
            </li>
          );
        })}
      </ul>
      <TaskButton disabled={isBusy} task={onClear}>
        Clear all
      </TaskButton>
    </>
  );
}
