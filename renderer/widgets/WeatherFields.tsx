// What falls, how much, how warm it is, how strong the wind is, and for how long: the weather that the sandbox makes.
import { NativeSelect, NumberInput } from '@mantine/core';
import { precipitationTypes, type Rain } from '@rainbell/contract/service-api';
import { kelvinOfZeroCelsius } from '../ui/text/units.ts';

type Props = { readonly weather: Rain; readonly onChange: (weather: Rain) => void };

const kinds = [
  { value: '', label: 'By weather' },
  ...precipitationTypes
    .filter((kind) => kind !== 'unknown')
    .map((value) => ({ value, label: value.replace('_', ' ') })),
];
/** Values beyond these can't be typed. The fields aren't controlled: "2." on the way to "2.5" is not a number yet. */
const numbers = [
  { name: 'mmPerHour', label: 'Amount (mm/h)', min: 0.1, max: 300, offset: 0 },
  { name: 'temperature', label: 'Temperature (°C)', min: -90, max: 55, offset: kelvinOfZeroCelsius },
  { name: 'windSpeed', label: 'Wind (m/s)', min: 0, max: 110, offset: 0 },
  { name: 'minutes', label: 'Minutes', min: 1, max: 4320, offset: 0 },
] as const;

export function WeatherFields({ weather, onChange }: Props) {
  return (
    <div className="rb-row rb-wrap">
      <NativeSelect
        label="Precipitation"
        data={kinds}
        value={weather.kind ?? ''}
        onChange={({ currentTarget: { value } }) => {
          onChange({ ...weather, kind: precipitationTypes.find((kind) => kind === value) });
        }}
        w={140}
      />
      {numbers.map(({ name, label, min, max, offset }) => (
        <NumberInput
          key={name}
          label={label}
          placeholder={name === 'minutes' ? '20' : 'any'}
          min={min}
          max={max}
          clampBehavior="strict"
          decimalScale={name === 'minutes' ? 0 : 1}
          w={name === 'minutes' ? 80 : 112}
          defaultValue={weather[name] === undefined ? '' : Math.round((weather[name] - offset) * 10) / 10}
          onChange={(value) => {
            onChange({ ...weather, [name]: typeof value === 'number' ? value + offset : undefined });
          }}
        />
      ))}
    </div>
  );
}
