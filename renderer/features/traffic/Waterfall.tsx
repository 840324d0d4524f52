// The phases of an exchange: one line each, with its bar at its position in the total time.
import type { TrafficEntry } from '@rainbell/contract/app-rpc';
import classes from './Waterfall.module.css';

export function Waterfall({ timing }: { readonly timing: TrafficEntry['timing'] }) {
  const whole = Math.max(timing.totalMs, 1);
  const isReused = timing.connectedMs === null && timing.firstByteMs !== null;
  return (
    <div className={`rb-small ${classes.waterfall}`}>
      <ul aria-label="Timing">
        {phasesOf(timing).map(({ kind, name, fromMs, toMs }) => (
          <li key={kind}>
            <span>{name}</span>
            <span className={classes.track} aria-hidden>
              <span
                className={classes.bar}
                data-kind={kind}
                style={{ left: `${(fromMs / whole) * 100}%`, width: `${((toMs - fromMs) / whole) * 100}%` }}
              />
            </span>
            <span>{formatMilliseconds(toMs - fromMs)}</span>
          </li>
        ))}
      </ul>
      <p className="rb-note">
        {isReused
          ? `${formatMilliseconds(timing.totalMs)} in total · no connection steps (reused connection or proxy)`
          : `${formatMilliseconds(timing.totalMs)} in total`}
      </p>
    </div>
  );
}

function formatMilliseconds(ms: number): string {
  return `${Number(ms.toFixed(1)).toLocaleString('en')} ms`;
}

type Phase = {
  kind: 'lookup' | 'connect' | 'secure' | 'wait' | 'read';
  name: string;
  fromMs: number;
  toMs: number;
};

/** A reused socket has neither lookup nor connect; without a response the last phase is the wait for one. */
function phasesOf({ lookedUpMs, connectedMs, securedMs, firstByteMs, totalMs }: TrafficEntry['timing']): Phase[] {
  const ends = [
    ['lookup', 'DNS lookup', lookedUpMs],
    ['connect', 'Connect', connectedMs],
    ['secure', 'TLS', securedMs],
    ['wait', firstByteMs === null ? 'Wait (no response)' : 'Wait for the first byte', firstByteMs ?? totalMs],
    ['read', 'Read the response', firstByteMs === null ? null : totalMs],
  ] as const;
  const phases: Phase[] = [];
  let fromMs = 0;
  for (const [kind, name, endMs] of ends) {
    if (endMs === null) continue;
    const toMs = Math.max(fromMs, endMs);
    phases.push({ kind, name, fromMs, toMs });
    fromMs = toMs;
  }
  return phases;
}
