// When what happened in an exchange: one line per phase, its bar where it lay in the whole time.
import type { Exchange } from '#contract/app-rpc/traffic.ts';
import classes from './Waterfall.module.css';

export function Waterfall({ timing }: { readonly timing: Exchange['timing'] }) {
  const whole = Math.max(timing.totalMs, 1);
  const isKept = timing.connectedMs === null && timing.firstByteMs !== null;
  return (
    <div className={classes.waterfall}>
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
            <span className={classes.number}>{formatMilliseconds(toMs - fromMs)}</span>
          </li>
        ))}
      </ul>
      <p className={classes.note}>
        {formatMilliseconds(timing.totalMs)} in all
        {isKept && ' · no steps of a connection: one was kept open, or a proxy made it'}
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

/** A kept socket has neither lookup nor connect; without an answer the last phase is the wait that came to nothing. */
function phasesOf({ lookedUpMs, connectedMs, securedMs, firstByteMs, totalMs }: Exchange['timing']): Phase[] {
  const ends = [
    ['lookup', 'Look up the name', lookedUpMs],
    ['connect', 'Connect', connectedMs],
    ['secure', 'TLS', securedMs],
    ['wait', firstByteMs === null ? 'Wait, without an answer' : 'Wait for the first byte', firstByteMs ?? totalMs],
    ['read', 'Read the answer', firstByteMs === null ? null : totalMs],
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
