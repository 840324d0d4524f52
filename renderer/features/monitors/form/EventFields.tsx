// Which events a monitor sends (docs/events.md), in plain choices, and a sentence that says what will happen.
import { Checkbox, NumberInput, Select } from '@mantine/core';
import {
  type ChosenEvent,
  eventRulesOf,
  type MonitorOptions,
  type PrecipitationType,
  precipitationTypes,
} from '@rainbell/contract/service-api';
import { useState } from 'react';

const formats = [
  { value: 'monitor', label: 'Monitor, as in the API spec' },
  { value: 'event', label: 'Rain event (JSON)' },
  { value: 'slack', label: 'Slack message' },
  { value: 'discord', label: 'Discord message' },
  { value: 'teams', label: 'Teams message' },
];
/** In the order of an episode. */
const choices: readonly { value: ChosenEvent; label: string }[] = [
  { value: 'precipitation.expected', label: 'Before it starts' },
  { value: 'precipitation.started', label: 'When it starts' },
  { value: 'precipitation.ended', label: 'When it is over' },
];
const kinds: readonly { value: PrecipitationType; label: string }[] = [
  { value: 'rain', label: 'Rain' },
  { value: 'freezing_rain', label: 'Freezing rain' },
  { value: 'sleet', label: 'Sleet' },
  { value: 'snow', label: 'Snow' },
  { value: 'hail', label: 'Hail' },
  { value: 'unknown', label: 'Unknown kind' },
];
const leads = [5, 10, 15, 30, 60].map((minutes) => ({ value: String(minutes), label: `${minutes} min before` }));

type Props = { readonly options: MonitorOptions; readonly onChange: (options: MonitorOptions) => void };

export function EventFields({ options, onChange }: Props) {
  const { payload = 'monitor', events = ['precipitation.started'], conditions = {} } = options;
  const setConditions = (part: typeof conditions) => onChange({ ...options, conditions: { ...conditions, ...part } });
  const [typed, setTyped] = useState<Readonly<Record<string, number | string>>>({});
  const rule = (name: 'min_precipitation_rate' | 'dry_minutes', min: number, max: number, standard = min) => ({
    // What is typed stays until the field is left; then it shows the number that counts.
    clampBehavior: 'none' as const,
    min,
    max,
    value: typed[name] ?? conditions[name] ?? standard,
    onChange(value: number | string) {
      setTyped({ [name]: value });
      setConditions({ [name]: Math.min(max, Math.max(min, Number(value) || standard)) });
    },
    onBlur: () => setTyped({}),
  });
  const choose = (chosen: string[]) => {
    const { lead_minutes: lead, ...others } = conditions;
    if (chosen.length === 0) return;
    onChange({
      ...options,
      events: choices.map(({ value }) => value).filter((value) => chosen.includes(value)),
      conditions: lead !== undefined && chosen.includes('precipitation.expected') ? conditions : others,
    });
  };
  const chooseKinds = (chosen: string[]) => {
    const { precipitation_types: _, ...others } = conditions;
    const list = precipitationTypes.filter((kind) => chosen.includes(kind));
    if (list.length === 0) return;
    const isAll = list.length === precipitationTypes.length;
    onChange({ ...options, conditions: isAll ? others : { ...others, precipitation_types: list } });
  };
  return (
    <div className="rb-stack">
      <Select
        label="Sends"
        description={describeOptions(options)}
        data={formats}
        allowDeselect={false}
        value={payload}
        onChange={(value) => onChange(value === 'monitor' ? {} : { ...options, payload: value as 'event' })}
      />
      {payload !== 'monitor' && (
        <>
          <Checkbox.Group label="Notify me" value={[...events]} onChange={choose}>
            <div className="rb-row rb-wrap">
              {choices.map((choice) => (
                <Checkbox key={choice.value} {...choice} />
              ))}
            </div>
          </Checkbox.Group>
          <Checkbox.Group
            label="Kinds"
            value={[...(conditions.precipitation_types ?? precipitationTypes)]}
            onChange={chooseKinds}
          >
            <div className="rb-row rb-wrap">
              {kinds.map((kind) => (
                <Checkbox key={kind.value} {...kind} />
              ))}
            </div>
          </Checkbox.Group>
          <div className="rb-pair">
            <NumberInput label="From (mm/h)" step={0.1} decimalScale={2} {...rule('min_precipitation_rate', 0.1, 50)} />
            <NumberInput
              label="Dry minutes until it is over"
              step={15}
              allowDecimal={false}
              {...rule('dry_minutes', 15, 360, 60)}
            />
            {events.includes('precipitation.expected') && (
              <Select
                label="Lead time"
                data={leads}
                allowDeselect={false}
                value={String(conditions.lead_minutes ?? 15)}
                onChange={(value) => setConditions({ lead_minutes: Number(value) })}
              />
            )}
          </div>
        </>
      )}
    </div>
  );
}

function describeOptions(options: MonitorOptions): string {
  const rules = eventRulesOf(options);
  if (!rules) return 'Sends the monitor when precipitation is near, at most once an hour.';
  const { events, types, leastMmPerHour, leadMinutes, dryMinutes } = rules;
  const kinds = types.map((kind) => (kind === 'unknown' ? 'an unknown kind' : kind.replace('_', ' ')));
  const what = types.length === precipitationTypes.length ? 'precipitation' : listOf(kinds, 'disjunction');
  const parts = [
    ...(events.includes('precipitation.expected') ? [`up to ${leadMinutes} min before it starts`] : []),
    ...(events.includes('precipitation.started') ? ['when it starts'] : []),
    ...(events.includes('precipitation.ended') ? ['when it is over'] : []),
  ];
  return `Sends an event for ${what} from ${leastMmPerHour} mm/h: ${listOf(parts, 'conjunction')}. It is over after ${dryMinutes} dry minutes.`;
}

function listOf(parts: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat('en', { type }).format(parts);
}
