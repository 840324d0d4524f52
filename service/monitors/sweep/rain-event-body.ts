// The body of an episode's event (docs/events.md): what is known of it, a title and a message for people, and the forms that Slack,
// Discord, and Microsoft Teams accept. Pure.
import { attributions, formatInstant, parseTimestamp } from '@rainbell/shared';
import {
  bearingDegrees,
  type EndReason,
  type EventRules,
  type LatLng,
  type PrecipitationType,
  type RainEvent,
} from '@rainbell/contract/service-api';
import type { EpisodeEvent } from '../delivery/tables.ts';
import { monitorJson, type MonitorRow, placeOf } from '../monitor-json.ts';
import { covers, kmTo, type Timeline, type TimelineStep } from '../../weather/timeline.ts';
import {
  endOf,
  type EpisodeState,
  type Estimate,
  longestMs,
  lookAt,
  maxRateOf,
  overdueMs,
  startOf,
} from './decide-episode.ts';

type Subject = {
  kind: EpisodeEvent;
  reason: EndReason | null;
  episode: EpisodeState;
  timeline: Timeline | undefined;
  monitor: MonitorRow;
  rules: EventRules;
  now: number;
  isTest?: boolean;
};

export function rainEventOf(subject: Subject): RainEvent {
  const { kind, reason, episode, monitor, now, isTest = false } = subject;
  const step = stepOf(subject);
  const isOpen = kind === 'expected' || kind === 'started';
  const start = episode.expected ?? (step && isOpen ? startOf(step, 0) : null);
  const event: RainEvent = {
    type: `precipitation.${kind}`,
    timestamp: formatTime(now),
    title: titleOf(kind, episode.kind, isTest),
    message: '',
    data: {
      version: 1,
      episode_id: episode.id,
      sequence: episode.sequence,
      is_test: isTest,
      precipitation_type: episode.kind,
      ...amountsOf(subject, step),
      ...basisOf(kind, step),
      started_at: timeOrNull(episode.startedAt),
      ended_at: kind === 'ended' ? timeOrNull(episode.lastWetAt) : null,
      end_reason: reason,
      expected_start: estimateOf(start),
      expected_end: estimateOf(isOpen && step && subject.timeline && endOf(subject.timeline, step, subject.rules)),
      expires_at: timeOrNull(expiryOf(subject, start)),
      ...distanceOf(isOpen ? step : undefined, placeOf(monitor)),
      monitor: JSON.parse(monitorJson({ ...monitor, rules: null })) as RainEvent['data']['monitor'],
    },
  };
  return { ...event, message: messageOf(event, formatUtc) };
}

/** The weather that the event is about; of an end, what it is now. */
function stepOf({ kind, timeline, rules, now }: Subject): TimelineStep | undefined {
  const { ahead, wet, stillWet } = lookAt(timeline, rules, now);
  if (kind === 'expected') return ahead;
  if (kind === 'started') return wet;
  return stillWet ?? timeline?.steps.find((step) => covers(step, now));
}

function amountsOf({ kind, reason, episode, timeline, rules, now }: Subject, step: TimelineStep | undefined) {
  const isOpen = kind === 'expected' || kind === 'started';
  const rates = [episode.maxRate, isOpen && timeline ? maxRateOf(timeline, rules, now) : null];
  const known = rates.filter((rate) => rate !== null);
  return {
    precipitation_rate: reason === 'dry' && !(step && rules.types.includes(step.kind)) ? 0 : (step?.mmPerHour ?? null),
    max_precipitation_rate: known.length === 0 ? null : rounded(Math.max(...known)),
    precipitation_amount: episode.amount === null ? null : rounded(episode.amount),
  };
}

function basisOf(kind: EpisodeEvent, step: TimelineStep | undefined) {
  const isObserved = kind === 'started' && (step?.basis === 'station' || step?.basis === 'radar');
  return {
    basis: step?.basis ?? null,
    certainty: isObserved ? ('observed' as const) : ('likely' as const),
    source: step?.source ?? null,
    updated_at: timeOrNull(step?.updatedAt),
    attribution: creditOf(step?.source),
  };
}

function expiryOf({ kind, episode, now }: Subject, start: Estimate | null): number | null {
  if (kind === 'started') return (episode.startedAt ?? now) + longestMs;
  return kind === 'expected' && start ? start.latest + overdueMs : null;
}

function distanceOf(step: TimelineStep | undefined, place: LatLng) {
  const km = step ? kmTo(step, place) : null;
  const bearing = step?.place && km !== 0 ? Math.round(bearingDegrees(place, step.place)) : null;
  return { distance_km: km, bearing };
}

export function bodyOf(event: RainEvent, payload: EventRules['payload']): string {
  return JSON.stringify(payload === 'event' ? event : presets[payload](event));
}

/** Each shows times in the reader's time zone. */
const presets = {
  // https://docs.slack.dev/messaging/formatting-message-text
  slack: (event: RainEvent) => ({
    text: textOf(event, (at) => `<!date^${secondsOf(at)}^{time}|${formatUtc(at)}>`),
  }),
  // https://docs.discord.com/developers/reference#message-formatting
  discord: (event: RainEvent) => ({
    content: textOf(event, (at) => `<t:${secondsOf(at)}:t>`),
    allowed_mentions: { parse: [] },
  }),
  // https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features
  teams: (event: RainEvent) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', weight: 'Bolder', text: event.title },
            { type: 'TextBlock', wrap: true, text: messageOf(event, (at) => `{{TIME(${at})}}`) },
          ],
        },
      },
    ],
  }),
};

type FormatTime = (time: string) => string;

function textOf(event: RainEvent, format: FormatTime): string {
  return `${event.title}: ${messageOf(event, format)}`;
}

const kindNames: Readonly<Record<PrecipitationType, string>> = {
  rain: 'rain',
  freezing_rain: 'freezing rain',
  sleet: 'sleet',
  snow: 'snow',
  hail: 'hail',
  unknown: 'precipitation',
};

/** Classes of intensity by their lower bound in mm/h. Fields have numbers: words invite parsing. */
const intensities = [
  [34, 'Extreme'],
  [8.1, 'Heavy'],
  [1.9, 'Moderate'],
  [0.5, 'Light'],
  [0, 'Very light'],
] as const;

function titleOf(kind: EpisodeEvent, type: PrecipitationType, isTest: boolean): string {
  const endings = {
    expected: 'is expected',
    started: 'has started',
    ended: 'has ended',
    canceled: 'is no longer expected',
  };
  return `${isTest ? 'Test: ' : ''}${capitalized(kindNames[type])} ${endings[kind]}`;
}

function messageOf({ type, data }: RainEvent, format: FormatTime): string {
  const { precipitation_type: kind, precipitation_rate: rate, precipitation_amount: amount, end_reason: reason } = data;
  const { expected_start: start, expected_end: end, started_at: startedAt, ended_at: endedAt } = data;
  const [lng, lat] = data.monitor.geo.coordinates;
  const place = `near ${lat}, ${lng}`;
  const name = kindNames[kind];
  const [, word = ''] = intensities.find(([least]) => (rate ?? 0) >= least) ?? [];
  const what = rate === null ? capitalized(name) : `${word} ${name} (${rounded(rate)} mm/h)`;
  const until = end ? `; likely to end around ${format(end.at)}` : '';
  switch (type) {
    case 'precipitation.expected':
      return `${what} ${place} expected around ${start ? format(start.at) : 'soon'}${until}.`;
    case 'precipitation.started':
      return `${what} ${place} since ${format(startedAt ?? '')}${until}.`;
    case 'precipitation.canceled':
      return reason === 'no_data'
        ? `No check with current weather ${place} for 2 hours; no longer watching for ${name}.`
        : `${capitalized(name)} ${place}${start ? ` around ${format(start.at)}` : ''} is no longer in the forecast.`;
    case 'precipitation.ended': {
      const total = amount === null ? '' : `, about ${amount} mm since ${format(startedAt ?? '')}`;
      const last = `last wet at ${format(endedAt ?? '')}${total}.`;
      if (reason === 'dry')
        return `${rate && rate >= 0.1 ? `Only ${rounded(rate)} mm/h` : `No ${name}`} ${place}; ${last}`;
      if (reason === 'no_data') return `No check with current weather ${place} for 2 hours; ${last}`;
      if (reason === 'max_duration')
        return `24 hours of ${name} ${place}${total}; a new event follows if it continues.`;
      return `The monitor was changed; ${last}`;
    }
  }
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function formatTime(instant: number): string {
  return `${formatInstant(instant).slice(0, 19)}Z`;
}

function formatUtc(time: string): string {
  return `${time.slice(11, 16)} UTC`;
}

function secondsOf(time: string): number {
  return (parseTimestamp(time) ?? 0) / 1000;
}

function timeOrNull(instant: number | null | undefined): string | null {
  return instant === null || instant === undefined ? null : formatTime(instant);
}

function estimateOf(estimate: Estimate | false | null | undefined) {
  if (!estimate) return null;
  return { at: formatTime(estimate.at), earliest: formatTime(estimate.earliest), latest: formatTime(estimate.latest) };
}

function creditOf(source: string | undefined): string | null {
  const found = source === undefined ? undefined : attributions.find(({ match }) => match?.test(source));
  return found ? `${found.credit} (${found.licence})` : null;
}
