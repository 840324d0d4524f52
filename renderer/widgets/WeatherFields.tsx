// What falls, how much, how warm it is, and how strong the wind is: the weather that the sandbox makes.
import { NativeSelect, NumberInput } from '@mantine/core';
import { precipitationTypes, type ScenarioWeather } from '@rainbell/contract/service-api';

type Props = {
  readonly weather: ScenarioWeather;
  readonly onChange: (weather: ScenarioWeather) => void;
};

const kelvin = 273.15;
const kinds = [
  { value: '', label: 'By the weather' },
  ...precipitationTypes
    .filter((kind) => kind !== 'unknown')
    .map((value) => ({ value, label: value.replace('_', ' ') })),
];
/** Values beyond these can't be typed. */
const numbers = [
  { name: 'mmPerHour', label: 'Amount (mm/h)', min: 0.1, max: 300, offset: 0 },
  { name: 'temperature', label: 'Temperature (°C)', min: -90, max: 55, offset: kelvin },
  { name: 'windSpeed', label: 'Wind (m/s)', min: 0, max: 110, offset: 0 },
] as const;

export function WeatherFields({ weather, onChange }: Props) {
  return (
    <>
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
          placeholder="any"
          min={min}
          max={max}
          clampBehavior="strict"
          decimalScale={1}
          w={112}
          value={weather[name] === undefined ? '' : Math.round((weather[name] - offset) * 10) / 10}
          onChange={(value) => {
            onChange({ ...weather, [name]: typeof value === 'number' ? value + offset : undefined });
          }}
        />
      ))}
    </>
  );
}
