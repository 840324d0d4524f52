// The delivery status of a monitor, from the service's log or from the receiver, and the names of outcomes.
import { describe, expect, it } from 'vitest';
import type { AppMonitor, MonitorDelivery } from '#contract/app-rpc/monitors.ts';
import { formatFailure } from '#contract/service-api/failure-text.ts';
import {
  conditionLooks,
  formatAgo,
  formatNextAllowed,
  formatServiceClock,
  getDeliveryStatus,
} from '#renderer/features/monitors/common/delivery-status.ts';
import { factsOf, monitorOf } from './monitor-samples.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

describe('the delivery status of a monitor', () => {
  const at = (text: string) => Date.parse(`2026-11-21T${text}Z`);
  const describeStatus = (part: Partial<MonitorDelivery> | null, monitor: Partial<AppMonitor> = {}, aheadMs = 0) => {
    const facts = part === null ? null : { ...factsOf({ p: part })!, aheadMs };
    const { format, formatDetail, ...status } = getDeliveryStatus(monitorOf('p', monitor), facts, now);
    return { ...status, text: format(), ...(formatDetail ? { detail: formatDetail() } : {}) };
  };
  const common = { reason: '', lastAt: null, nextAllowedAt: null, now };
  const attempt = (part: object) => ({
    last_attempt: { started_at: '2026-11-21T11:50:00Z', attempt: 3, http_status: null, error: null, ...part },
  });

  it('is that of the service’s log', () => {
    expect(describeStatus({})).toEqual({ ...common, condition: 'ready', text: 'Never' });
    expect(describeStatus({ is_on: false, off_reason: 'why' })).toMatchObject({
      condition: 'off',
      reason: 'why',
    });
    expect(describeStatus({ is_on: false })).toMatchObject({ ...common, condition: 'off' });
    expect(
      describeStatus({ is_on: false, off_reason: 'paused by the owner', ...attempt({ error: 'timeout' }) }),
    ).toMatchObject({ condition: 'paused' });
    const [lastAt, last_event_at] = [at('11:50:00'), '2026-11-21T11:50:00Z'];
    expect(describeStatus(attempt({ http_status: 502, error: 'bad-answer' }))).toEqual({
      ...common,
      lastAt,
      condition: 'failing',
      text: 'Failing · 502 · attempt 3',
      detail: '502 · attempt 3',
      reason: '502 Bad Gateway',
    });
    expect(describeStatus(attempt({ error: 'tls' }))).toMatchObject({ detail: 'TLS error · attempt 3' });
    expect(describeStatus(attempt({ error: 'odd' }))).toMatchObject({ detail: 'odd · attempt 3', reason: 'odd' });
    const delivered = { ...common, lastAt, condition: 'ready', text: 'Delivered 10 min ago' };
    expect(describeStatus(attempt({ http_status: 200 }))).toEqual(delivered);
    // Of an event while delivery was off, the record has no attempt.
    const next = { nextAllowedAt: at('12:50:00'), condition: 'cool-down' };
    expect(describeStatus({ last_event_at, next_event_allowed_at: '2026-11-21T12:50:00Z' })).toEqual({
      ...common,
      ...next,
      lastAt,
      text: 'Event 10 min ago',
    });
    const fresh = { last_event_at: '2026-11-21T11:59:30Z', next_event_allowed_at: '2026-11-21T12:50:00Z' };
    expect(describeStatus(fresh)).toMatchObject({ ...next, text: 'Sending' });
  });

  it('has the next time by the service’s clock', () => {
    const next = { next_event_allowed_at: '2026-11-21T12:00:01Z' };
    expect(describeStatus(next)).toMatchObject({ nextAllowedAt: at('12:00:01'), now });
    expect(describeStatus(next, {}, 1_000)).toMatchObject({ nextAllowedAt: null, now: now + 1_000 });
    expect(formatNextAllowed({ nextAllowedAt: null, now })).toBe('Now');
    expect(formatNextAllowed({ nextAllowedAt: now + 60_000, now })).toBe('in 1 min');
    expect([0, 3_600_000, -7_200_000].map(formatServiceClock)).toEqual([
      'Event times use the service’s clock.',
      'Event times use the service’s clock, 1 h ahead of this computer’s.',
      'Event times use the service’s clock, 2 h behind this computer’s.',
    ]);
    expect([0, 29_999, 30_000, 60_000].map((ms) => formatAgo(now - ms, now))).toEqual([
      'just now',
      'just now',
      '30 s ago',
      '1 min ago',
    ]);
  });

  it('is that of the receiver if the service has no log', () => {
    const received = (receivedAt: string) =>
      describeStatus(null, { lastCallback: { receivedAt } as AppMonitor['lastCallback'] });
    expect(describeStatus(null)).toMatchObject({
      condition: 'unknown',
      lastAt: null,
      nextAllowedAt: null,
      now,
    });
    expect(received('2026-11-21T11:30:00Z')).toEqual({
      ...common,
      condition: 'cool-down',
      text: 'Received 30 min ago',
      lastAt: at('11:30:00'),
      nextAllowedAt: at('12:30:00'),
    });
    expect(received('2026-11-21T11:00:00Z')).toMatchObject({ condition: 'ready', nextAllowedAt: null });
  });

  it('fails first, and has a color for each condition', () => {
    const next = { next_event_allowed_at: '2026-11-21T12:50:00Z' };
    expect(describeStatus({ ...next, ...attempt({ error: 'tls' }) })).toMatchObject({ condition: 'failing' });
    expect(describeStatus({ ...next, is_on: false })).toMatchObject({ condition: 'off' });
    expect(Object.entries(conditionLooks).map(([name, { tone }]) => `${name}: ${tone}`)).toEqual([
      'ready: plain',
      'cool-down: accent',
      'failing: bad',
      'off: warn',
      'paused: plain',
      'unknown: plain',
    ]);
  });

  // The names of RFC 9110, section 15.
  it.each([
    [204, 'No Content'],
    [308, 'Permanent Redirect'],
    [410, 'Gone'],
    [503, 'Service Unavailable'],
  ])('names %i', (httpStatus, name) => {
    expect(formatFailure({ http_status: httpStatus, error: 'tls' })).toBe(`${httpStatus} ${name}`);
  });

  it('names errors without a status', () => {
    expect(formatFailure({ http_status: 299, error: null })).toBe('299');
    expect(formatFailure({ http_status: null, error: null })).not.toBe('');
    const codes = ['timeout', 'refused', 'reset', 'unknown-host', 'unreachable', 'tls', 'forbidden', 'bad-answer'];
    for (const error of [...codes, 'host-silent', 'failed']) {
      const [long, short] = [
        formatFailure({ http_status: null, error }),
        describeStatus(attempt({ error })).detail?.split(' · ')[0],
      ];
      expect([long, short].every((text) => text !== '' && text !== error)).toBe(true);
    }
  });
});
