// How much of the plan is used, where the service tells it (§8); elsewhere its refusal says it.
import { Progress } from '@mantine/core';
import { useApp } from '#renderer/store/use-app.ts';
import classes from './common/MonitorsScreen.module.css';

export function PlanLine() {
  const plan = useApp((state) => state.monitors.facts?.plan ?? null);
  const used = useApp((state) => state.monitors.items.length);
  if (plan === null) return null;
  const isFull = used >= plan.monitorLimit;
  const ofLimit = `${used.toLocaleString('en')} of ${plan.monitorLimit.toLocaleString('en')}`;
  const words = `${ofLimit} in ${plan.name === null ? 'the plan' : `plan “${plan.name}”`}`;
  return (
    <span className={classes.plan} data-full={isFull}>
      {words}
      {isFull && ': no more can be made before one is deleted, or a larger plan chosen on the website.'}
      <Progress
        aria-label={words}
        value={plan.monitorLimit === 0 ? 100 : Math.min(100, (used / plan.monitorLimit) * 100)}
        w={72}
        size="sm"
        color={isFull ? 'red' : 'rain'}
      />
    </span>
  );
}
