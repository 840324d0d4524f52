// How the forecast is shown, in one menu: chart or table, units, zone, layers.
import { Button, Checkbox, SegmentedControl } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useId } from 'react';
import type { Forecast, Settings } from '@rainbell/contract/app-rpc';
import { shownZone } from '../../../store/shown.ts';
import { useApp } from '../../../store/use-app.ts';
import { Panel } from '../../../ui/controls/Panel.tsx';
import { computerLocale } from '../../../ui/text/computer-zone.ts';
import { chosenUnits, settingsOfUnits, unitPresets, type Units } from '../../../ui/text/units.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useMyTimes, useTimes } from '../../../widgets/use-units.ts';
import { layerNames } from '../common/measures.ts';
import { isRadarOffered } from '../radar/radar-slice.ts';

const presets = Object.entries(unitPresets);
const custom = 'custom';

const views: { value: 'chart' | 'table'; label: string }[] = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
];

export function ViewMenu() {
  const id = useId();
  const { forecast, isTable, toggleTable } = useApp((state) => state.forecast);
  return (
    <>
      <Button px="sm" rightSection={<IconChevronDown />} popoverTarget={id} aria-haspopup="dialog">
        View
      </Button>
      <Panel id={id} label="View">
        <div className="rb-column">
          <SegmentedControl
            size="xs"
            data={views}
            value={isTable ? 'table' : 'chart'}
            onChange={(value) => value === (isTable ? 'chart' : 'table') && toggleTable()}
            aria-label="Show points as"
          />
          <UnitSelect />
          {forecast && <ZoneSelect forecast={forecast} at={Date.parse(forecast.points[0]?.at ?? forecast.fetchedAt)} />}
          <LayerChoices />
        </div>
      </Panel>
    </>
  );
}

function LayerChoices() {
  const { layers: shown, toggleLayer } = useApp((state) => state.forecast);
  const isOffered = useApp(isRadarOffered);
  return (
    <div className="rb-column">
      {Object.entries(layerNames).map(([layer, label]) =>
        layer === 'radar' && !isOffered ? null : (
          <Checkbox
            key={layer}
            size="xs"
            label={label}
            checked={shown.has(layer)}
            onChange={() => toggleLayer(layer)}
          />
        ),
      )}
    </div>
  );
}

function UnitSelect() {
  const values = useApp((state) => state.settings.values);
  const update = useApp((state) => state.settings.update);
  const units = chosenUnits(values, computerLocale());
  const here = presets.find(([, preset]) => JSON.stringify(preset) === JSON.stringify(units))?.[0] ?? custom;
  const choose = (name: string) => {
    const preset = presets.find(([one]) => one === name)?.[1];
    if (preset) void update(settingsOfUnits(preset));
  };
  return (
    <select
      className="rb-select"
      aria-label="Units"
      aria-keyshortcuts="u"
      value={here}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {presets.map(([name, preset]) => (
        <option key={name} value={name}>
          {list(preset)}
        </option>
      ))}
      {here === custom && <option value={custom}>{list(units)}</option>}
    </select>
  );
}

function list({ temperature, precipitation, wind }: Units): string {
  return `${temperature}, ${precipitation}, ${wind}`;
}

/** `at`: the time whose offset is named. */
function ZoneSelect({ forecast, at }: { readonly forecast: Forecast; readonly at: number }) {
  const zone = useApp(shownZone);
  const update = useApp((state) => state.settings.update);
  const place = useTimes(forecast.timeZone);
  const myTimes = useMyTimes();
  return (
    <select
      className="rb-select"
      aria-label="Time zone"
      aria-keyshortcuts="z"
      value={zone}
      onChange={(event) => void update({ zone: event.currentTarget.value as Settings['zone'] })}
    >
      <option value="place">Place time: {zoneText(place, at)}</option>
      <option value="mine">My time: {zoneText(myTimes, at)}</option>
      <option value="utc">UTC</option>
    </select>
  );
}

/** `CET, UTC+1` */
function zoneText(times: ZonedTimes, at: number): string {
  const [name, offset] = [times.zoneName(at), times.utcOffset(at)];
  return name === offset ? name : `${name}, ${offset}`;
}
