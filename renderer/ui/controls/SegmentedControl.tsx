// One of a few, side by side: radio buttons; the selected one looks raised.
import { type ReactNode, useId } from 'react';
import classes from './SegmentedControl.module.css';

type Props<Value extends string> = {
  'aria-label': string;
  data: readonly { value: Value; label: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
  size?: 'xs' | 'sm';
};

export function SegmentedControl<Value extends string>({
  data,
  value,
  onChange,
  size = 'sm',
  ...label
}: Readonly<Props<Value>>) {
  const name = useId();
  return (
    <div role="radiogroup" {...label} className={classes.control} data-size={size}>
      {data.map((one) => (
        <label key={one.value} className={classes.choice}>
          <input
            type="radio"
            className={classes.input}
            name={name}
            value={one.value}
            checked={one.value === value}
            onChange={() => onChange(one.value)}
          />
          {one.label}
        </label>
      ))}
    </div>
  );
}
