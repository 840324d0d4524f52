// The present instant of the service, moving on while the forecast stands.
import { useApp } from '#renderer/store/use-app.ts';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import { linearScale } from './linear-scale.ts';
import { serviceNow, type TimelineModel } from '#renderer/features/forecast/common/timeline-model.ts';
import type { TimelineLayout } from './timeline-layout.ts';
import classes from './Timeline.module.css';

type Props = { model: TimelineModel; layout: TimelineLayout; left: number; right: number };

export function NowLine({ model, layout, left, right }: Readonly<Props>) {
  const forecast = useApp((state) => state.forecast.forecast);
  const machineNow = useNow(15_000);
  if (!forecast) return null;
  const now = serviceNow(forecast, machineNow);
  if (now < model.from || now > model.to) return null;
  const x = linearScale([model.from, Math.max(model.to, model.from + 3_600_000)], [left, right])(now);
  return (
    <g>
      <line className={classes.nowLine} x1={x} x2={x} y1={layout.icons.top} y2={layout.axis.top + 2} />
      <text
        className={classes.nowWord}
        x={x < 20 ? x + 5 : x}
        y={layout.axis.top + 16}
        textAnchor={x < 20 ? 'start' : 'middle'}
      >
        now
      </text>
    </g>
  );
}
