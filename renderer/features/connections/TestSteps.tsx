// What a connection test found, a row per step.
import { IconAlertTriangle, IconCheck, IconMinus, IconX, type TablerIcon } from '@tabler/icons-react';
import type { ConnectionTestStep } from '@rainbell/contract/app-rpc';
import { TrafficButton } from '../../widgets/TrafficButton.tsx';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import classes from './ConnectionsScreen.module.css';
import type { ConnectionTest } from './connections-slice.ts';

const titles: Readonly<Record<ConnectionTestStep['step'], string>> = {
  address: 'URL',
  token: 'Token',
  weather: 'Weather',
  monitors: 'Monitors',
  clock: 'Clock',
};

const resultIcons: Readonly<Record<ConnectionTestStep['result'], { icon: TablerIcon; label: string }>> = {
  ok: { icon: IconCheck, label: 'Works:' },
  warning: { icon: IconAlertTriangle, label: 'Warning:' },
  failed: { icon: IconX, label: 'Failed:' },
  skipped: { icon: IconMinus, label: 'Not tested:' },
};

export function TestSteps({ test: { steps, testedAt } }: { readonly test: ConnectionTest }) {
  const times = useLogTimes();
  if (testedAt === null) return null;
  return (
    <div className="rb-column rb-part">
      <p className="rb-eyebrow">Tested at {times.clockSeconds(Date.parse(testedAt))}</p>
      <ul className={`rb-column ${classes.steps}`} aria-label="Test results">
        {steps.map(({ step, result, message, tookMs, problem }) => {
          const { icon: Icon, label } = resultIcons[result];
          return (
            <li key={step} data-verdict={result}>
              <Icon className="rb-mark" size={15} aria-label={label} />
              <strong>{titles[step]}</strong>
              <span className="rb-break">
                {message} <TrafficButton id={problem?.details.trafficId} size="compact-xs" about={titles[step]} />
              </span>
              <span className="rb-note">{tookMs === null ? '' : `${Math.round(tookMs)} ms`}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
