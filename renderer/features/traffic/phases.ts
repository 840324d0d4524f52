// What an exchange spent its time with, one phase after the other.
import type { Exchange } from '#contract/app-rpc/traffic.ts';

export type Phase = {
  kind: 'lookup' | 'connect' | 'secure' | 'wait' | 'read';
  name: string;
  fromMs: number;
  toMs: number;
};

/** A kept socket has neither lookup nor connect; without an answer the last phase is the wait that came to nothing. */
export function phasesOf({ lookedUpMs, connectedMs, securedMs, firstByteMs, totalMs }: Exchange['timing']): Phase[] {
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
