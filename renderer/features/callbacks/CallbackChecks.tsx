// The checks of a callback in words, each with its mark.
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { Callback } from '#contract/procedures/callbacks.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { checksOf } from './callback-checks.ts';
import classes from './CallbackDetail.module.css';

export function CallbackChecks({ callback }: { readonly callback: Callback }) {
  const monitors = useApp((state) => state.monitors.items);
  const receiverUrl = useApp((state) => state.frame.status?.receiver.baseUrl ?? null);
  const checks = useMemo(() => checksOf(callback, monitors, receiverUrl), [callback, monitors, receiverUrl]);
  if (checks.length === 0) return null;
  return (
    <ul className={classes.checks} aria-label="Checks">
      {checks.map(({ isGood, words }) => (
        <li key={words} data-good={isGood}>
          {isGood ? <IconCheck size={15} aria-label="good:" /> : <IconAlertTriangle size={15} aria-label="look:" />}
          <span>{words}</span>
        </li>
      ))}
    </ul>
  );
}
