// The screen of the service's record of events, beside a service whose clock is ahead.
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { BulkTask } from '#contract/app-rpc/monitor-bulk.ts';
import type { EventQuery } from '#contract/app-rpc/monitors.ts';
import type { Settings } from '#contract/app-rpc/settings.ts';
import type { EventRecord } from '#contract/service-api/events.ts';
import { deliveryOf } from '#test/core/monitors/monitor-delivery.ts';
import { expectAccessible } from '../axe.ts';
import { eventOf, listOf, monitorOf, reportOf, runOf } from '../monitors/monitor-samples.ts';
import { expectGone, expectShown, openApp } from '../open-app.ts';
import { AppError, type Stubs } from '../stub-client.ts';

const aheadMs = 3_600_000;
function open(hash: string, events: readonly EventRecord[], more: Stubs = {}, settings: Partial<Settings> = {}) {
  const queries: EventQuery[] = [];
  const ids = ['precipitation_1', 'precipitation_2'];
  const opened = openApp({
    hash,
    settings,
    stubs: {
      monitors: {
        list: () => listOf(ids.map((id, index) => monitorOf(id, { name: `Roof ${index + 1}` }))),
        deliveryStates: () =>
          reportOf(
            ids.map((id) => deliveryOf(id, { is_on: id === 'precipitation_1' })),
            { aheadMs },
          ),
        events: (query) => {
          queries.push(query);
          const at = Number(query.before ?? 0);
          const next = at + 100 < events.length ? String(at + 100) : null;
          return { objects: events.slice(at, at + 100), meta: { next } };
        },
        ...more.monitors,
      },
      ...(more.monitorBulk && { monitorBulk: more.monitorBulk }),
    },
  });
  return { ...opened, queries };
}

const rows = page.getByRole('listbox').getByRole('option');

describe('the screen of events', () => {
  it('numbers first attempts and retries, and names the others', async () => {
    const [attempt] = eventOf(1).attempts;
    if (!attempt) throw new Error('The event has an attempt.');
    const event = eventOf(1, {
      attempts: [
        { ...attempt, attempt: 2, kind: 'retry', latency_ms: 32 },
        { ...attempt, attempt: 3, kind: 'resend', latency_ms: 33 },
      ],
    });
    open('#/events', [event], {}, { zone: 'utc', clockFormat: '24' });
    await expectShown(rows.first().getByText(event.occurred_at.slice(11, 16)));
    await rows.first().click();
    const details = page.getByRole('region', { name: 'Event details' });
    await expectShown(details.getByText(/32 ms, attempt 2$/));
    await expectShown(details.getByText(/33 ms, resend$/));
  });

  it('asks for what its link says, and shows why an event fired and each attempt', async () => {
    const { queries, stub } = open('#/events?state=undelivered&host=hooks.example.com&front=evt_0', [
      eventOf(1),
      eventOf(2),
    ]);
    await expectShown(rows.first());
    // The service's clock is known only after its first response.
    const dayAgo = Date.now() + aheadMs - 86_400_000;
    await expect.poll(() => Math.abs(Date.parse(String(queries.at(-1)?.from)) - dayAgo)).toBeLessThan(60_000);
    expect(queries.at(-1)).toMatchObject({
      // A front's failures include those that are tried again.
      state: 'failed,expired,feed_only,waiting',
      host: 'hooks.example.com',
      front: 'evt_0',
    });
    const { length } = queries;
    location.hash = '#/events/evt_2?state=undelivered&host=hooks.example.com&front=evt_0';
    await expect.element(rows.nth(1)).toHaveAttribute('aria-selected', 'true');
    // The filter is the same.
    expect(queries).toHaveLength(length);
    await rows.first().click();
    await expect.poll(() => location.hash).toBe('#/events/evt_1?state=undelivered&host=hooks.example.com&front=evt_0');
    const details = page.getByRole('region', { name: 'Event details' });
    await expectShown(details.getByText(/failed: 401 Unauthorized from hooks\.example\.com, 1 attempt\.$/));
    await expectShown(details.getByText('metar:LIMF, observed at a station'));
    await expectShown(details.getByText('0.4 mm/h snow'));
    await details.getByText(/31 ms, attempt 1/).click();
    await expectShown(details.getByText('webhook-id'));
    await expectShown(details.getByText('no such tenant'));
    await expectAccessible('an event');
    let resent: object = {};
    stub({
      monitors: {
        resend(input) {
          resent = input;
          return {};
        },
      },
    });
    await details.getByRole('button', { name: 'Resend' }).click();
    await expect.poll(() => resent).toEqual({ id: 'precipitation_1', eventId: 'evt_1' });
  });

  it('reads pages as one scrolls, searches names, and groups by host with the keyboard', async () => {
    const many = Array.from({ length: 250 }, (_, index) =>
      eventOf(index + 1, index === 249 ? { monitor_id: 'precipitation_2', host: 'b.example', state: 'delivered' } : {}),
    );
    const { queries } = open('#/events', many);
    await expectShown(page.getByText('100 events so far, older ones follow'));
    expect(rows.elements().length).toBeLessThan(100);
    await page.getByLabelText('Monitor', { exact: true }).fill('roof 2');
    await expectShown(page.getByText('1 event', { exact: true }));
    expect(queries.flatMap(({ before }) => before ?? [])).toEqual(['100', '200']);
    await page.getByLabelText('Monitor', { exact: true }).fill('');
    const group = page.getByLabelText('Group');
    const shownRows = () => rows.elements().map((row) => row.textContent);
    await group.selectOptions('By host');
    await expect
      .poll(shownRows)
      .toEqual([expect.stringMatching(/^hooks\.example\.com.*1249249$/), expect.stringMatching(/^b\.example.*110$/)]);
    page.getByRole('listbox').element().focus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await expect.poll(() => queries.at(-1)?.host).toBe('b.example');
  });

  it('groups by front, whatever the monitors’ host', async () => {
    const { queries } = open('#/events?range=month&view=fronts', [
      eventOf(1, { type: 'test' }),
      eventOf(5, { state: 'delivered' }),
      eventOf(600),
      eventOf(601, { monitor_id: 'precipitation_2', host: 'b.example' }),
      eventOf(602, { monitor_id: 'precipitation_9' }),
    ]);
    await expect
      .poll(() => rows.elements().map((row) => row.textContent))
      .toEqual([
        expect.stringMatching(/^Roof 2, Roof 1.*222$/),
        expect.stringMatching(/^Tests and deleted monitors.*222$/),
        expect.stringMatching(/^Roof 1.*110$/),
      ]);
    await rows.first().click();
    await expect.poll(() => queries.at(-1)?.front).toBe('evt_601');
    await expect.poll(() => location.hash).toBe('#/events?range=month&front=evt_601');
  });

  it('resends what the filter has of undelivered events, oldest first, and turns delivery on once', async () => {
    let tasks: readonly BulkTask[] = [];
    const events = [
      eventOf(1, { monitor_id: 'precipitation_2' }),
      eventOf(2),
      eventOf(3, { monitor_id: 'precipitation_9' }),
      eventOf(4, { monitor_id: 'precipitation_2', state: 'expired' }),
      eventOf(5, { state: 'waiting' }),
    ];
    const { queries } = open('#/events?range=month', events, {
      monitorBulk: {
        state: () => ({ run: null }),
        start: (input) => {
          ({ tasks } = input);
          return runOf(3);
        },
        close: () => ({}),
      },
    });
    await expectShown(rows.first());
    await page.getByRole('button', { name: 'Resend failed…' }).click();
    const dialog = page.getByRole('dialog');
    await expectShown(dialog.getByText('3 events in this filter weren’t delivered. 1 more is of a deleted monitor.'));
    expect(queries.at(-1)).toEqual({ state: 'failed,expired,feed_only', limit: 500 });
    await expectShown(dialog.getByLabelText('Turn on delivery of 1 monitor first'));
    await expectAccessible('the dialog');
    await dialog.getByRole('button', { name: 'Resend 3 events' }).click();
    await expectGone(dialog);
    await expect
      .poll(() => tasks)
      .toMatchObject([
        { kind: 'resend', id: 'precipitation_2', eventId: 'evt_4', turnsOn: true },
        { kind: 'resend', id: 'precipitation_1', eventId: 'evt_2', turnsOn: false },
        { kind: 'resend', id: 'precipitation_2', eventId: 'evt_1', turnsOn: false },
      ]);
  });

  it('says what is missing: events, or the record', async () => {
    const { stub } = open('#/events?range=month', []);
    await expectShown(page.getByRole('heading', { name: 'No events' }));
    stub({
      monitors: {
        events: () => {
          throw new AppError('NOT_FOUND', 'No route');
        },
      },
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expectShown(page.getByRole('heading', { name: 'No record of events' }));
  });
});
