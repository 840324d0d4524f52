// How long an old client secret works together with a new one, so that an application can change it without an outage.

/** Offered on the website; the operator can choose any number of hours up to the last. */
export const graceHours = [0, 24, 168] as const;
export const maxGraceHours = 168;
const hourMs = 3_600_000;

type OldSecret = { previous_secret_hash: string | null; previous_secret_until: number | null };

export function graceEnd(now: number, hours: number): number {
  return now + hours * hourMs;
}

/** The hash of the old secret and when it ends; undefined if there is none that works. */
export function oldSecretOf(
  { previous_secret_hash: hash, previous_secret_until: until }: OldSecret,
  now: number,
): { hash: string; until: number } | undefined {
  if (hash === null || until === null || until <= now) return undefined;
  return { hash, until };
}
