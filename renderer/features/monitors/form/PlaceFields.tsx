// The location of a monitor: found by name, or typed as coordinates.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Place } from '@rainbell/contract/app-rpc';
import { writeDegrees } from '@rainbell/shared';
import { PlaceSearch } from '../../../widgets/PlaceSearch.tsx';
import type { FormProblems, MonitorForm } from '../common/monitor-form.ts';

type Props = {
  form: MonitorForm;
  problems: FormProblems;
  /** What the search shows at first. */
  place?: Place | null;
  onChange: (part: Partial<MonitorForm>) => void;
};

export function PlaceFields({ form, problems, place = null, onChange }: Readonly<Props>) {
  const [picked, setPicked] = useState(place);
  const pick = (chosen: Place) => {
    setPicked(chosen);
    onChange({ lat: writeDegrees(chosen.lat), lng: writeDegrees(chosen.lng) });
  };
  return (
    <>
      <PlaceSearch
        field="monitor"
        label="Place"
        isLabelShown
        place={picked}
        onPick={pick}
        ref={beFirst}
        placeholder="Find a city, or type coordinates below"
      />
      <div className="rb-pair">
        {(['lat', 'lng'] as const).map((field) => (
          <TextInput
            key={field}
            label={field === 'lat' ? 'Latitude' : 'Longitude'}
            inputMode="decimal"
            value={form[field]}
            error={problems[field]}
            onChange={(event) => onChange({ [field]: event.currentTarget.value })}
          />
        ))}
      </div>
    </>
  );
}

/** A dialog's focus goes to it rather than to Close. */
function beFirst(input: HTMLInputElement | null): void {
  if (input) input.dataset['autofocus'] = '';
}
