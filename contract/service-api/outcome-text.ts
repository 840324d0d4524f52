// Outcomes of events as sentences (docs/verification.md): the same in the app and on the website.
import { attributions, parseTimestamp, plural } from '@rainbell/shared';
import { type EvidenceKind, type Outcome, type Verification } from './delivery.ts';

type Evidence = NonNullable<Outcome['evidence']>;

/** `Confirmed by LIMF at 06:50Z: -RA, 4 km away`. */
export function formatOutcome({ verdict, evidence }: Pick<Outcome, 'verdict' | 'evidence'>): string {
  if (evidence === null) return 'No evidence: no observations near the monitor';
  const { text, distance_km: km } = evidence;
  const [observer, time, distance] = [observerOf(evidence), zuluOf(evidence.observed_at), formatDistance(km)];
  return `${verdict === 'confirmed' ? 'Confirmed' : 'Not confirmed'} by ${observer} at ${time}: ${text}, ${distance} away`;
}

/** `8 of 9 events confirmed, 1 without evidence; median lead time 12 min`. */
export function formatVerification(counts: Verification): string {
  const {
    confirmed,
    not_confirmed: dry,
    no_evidence: without,
    missed,
    median_lead_time_seconds: lead,
    onsets,
  } = counts;
  const all = confirmed + dry + without;
  const shares = [
    plural(all, ['{confirmed} of # event confirmed', '{confirmed} of # events confirmed'], {
      confirmed: confirmed.toLocaleString('en'),
    }),
    dry > 0 ? `${dry.toLocaleString('en')} not confirmed` : '',
    without > 0 ? `${without.toLocaleString('en')} without evidence` : '',
  ];
  const parts = [
    all === 0 ? 'No events compared with observations yet' : shares.filter((share) => share !== '').join(', '),
    lead === null ? '' : `median lead time ${Math.round(lead / 60)} min`,
    missed === 0 ? '' : plural(missed, ['precipitation missed once', 'precipitation missed # times']),
    onsets && all > 0
      ? `starts only: ${onsets.confirmed} confirmed, ${onsets.not_confirmed} not, ${onsets.missed} missed`
      : '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

const observers: Readonly<Record<Exclude<EvidenceKind, 'analysis'>, string>> = {
  station: 'a station',
  radar: 'radar',
  report: 'a user',
};

function observerOf({ kind, source }: Evidence): string {
  const station = source.split(':')[1];
  if (kind === 'station' && station !== undefined) return station;
  if (kind !== 'analysis') return observers[kind];
  const provider = attributions.find(({ match }) => match?.test(source))?.name ?? source;
  return `${provider}’s later analysis`;
}

/** `06:50Z`, as in a METAR. */
function zuluOf(timestamp: string): string {
  return `${new Date(parseTimestamp(timestamp) ?? 0).toISOString().slice(11, 16)}Z`;
}

function formatDistance(km: number): string {
  return km < 1 ? 'under 1 km' : `${Math.round(km)} km`;
}
