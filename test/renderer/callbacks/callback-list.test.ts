// The parts of the callback list and detail that need no browser.
import { describe, expect, it } from 'vitest';
import type { CallbackCheck } from '#contract/app-rpc/callbacks.ts';
import { callbacksLink } from '#renderer/features/callbacks/callbacks-link.ts';
import { filterOf, wholeView } from '#renderer/features/callbacks/common/callback-view.ts';
import { linkedParts, verdictSentences } from '#renderer/features/callbacks/detail/verdict-sentences.ts';
import {
  axisTicks,
  draggedSpan,
  scaleTop,
  spanAfterKey,
  spanAt,
} from '#renderer/features/callbacks/list/histogram-selection.ts';
import { fitColumns, formatMonitor, defaultColumns } from '#renderer/features/callbacks/list/list-columns.ts';
import type { CallbackSummary } from '#contract/app-rpc/callbacks.ts';
import {
  addNewer,
  addOlder,
  countAbove,
  emptyLog,
  newestId,
  oldestId,
  replaceRows,
  rowAt,
  rowCount,
} from '#renderer/features/callbacks/common/callback-log.ts';

const noon = Date.parse('2026-11-21T12:00:00Z');
const minute = 60_000;
const axis = { from: noon, to: noon + 60 * minute, barMs: 30_000 };

describe('a selection in the histogram', () => {
  it('is the minute of a click, or the bar if that is longer', () => {
    expect(spanAt(noon + 95_000, axis)).toEqual({ from: noon + minute, to: noon + 2 * minute });
    expect(spanAt(noon + 95_000, { ...axis, barMs: 10 * minute })).toEqual({ from: noon, to: noon + 10 * minute });
  });

  it('is whole bars of a drag in either direction, within the axis', () => {
    const span = { from: noon + minute, to: noon + 2 * minute };
    expect(draggedSpan(noon + 70_000, noon + 100_000, axis)).toEqual(span);
    expect(draggedSpan(noon + 100_000, noon + 70_000, axis)).toEqual(span);
    expect(draggedSpan(noon - minute, noon + 90 * minute, axis)).toEqual({ from: axis.from, to: axis.to });
  });

  it('moves and grows by keys, and stays on the axis', () => {
    const key = (name: string, shiftKey = false) => ({ key: name, shiftKey });
    const last = { from: axis.to - 30_000, to: axis.to };
    expect(spanAfterKey(key('ArrowLeft'), null, axis)).toEqual(last);
    expect(spanAfterKey(key('ArrowRight'), last, axis)).toEqual(last);
    expect(spanAfterKey(key('ArrowLeft'), last, axis)).toEqual({ from: last.from - 30_000, to: last.to - 30_000 });
    expect(spanAfterKey(key('ArrowLeft', true), last, axis)).toEqual(last);
    expect(spanAfterKey(key('Escape'), last, axis)).toBeNull();
    expect(spanAfterKey(key('a'), last, axis)).toBeUndefined();
  });

  it('has times on full hours of the zone, and a round top', () => {
    const day = { from: noon, to: noon + 86_400_000, barMs: 3_600_000 };
    const halfHourZone = 5.5 * 3_600_000;
    for (const at of axisTicks(day, 8, halfHourZone)) expect((at + halfHourZone) % 3_600_000).toBe(0);
    expect(axisTicks(day, 8, 0).length).toBeLessThanOrEqual(8);
    expect([0, 3, 5, 7, 12, 41, 90].map(scaleTop)).toEqual([2, 4, 10, 10, 20, 50, 100]);
  });
});

describe('the view of the list', () => {
  it('becomes a filter', () => {
    const span = { from: noon, to: noon + minute };
    expect(filterOf(wholeView, noon)).toEqual({ query: '' });
    expect(filterOf({ ...wholeView, range: '1h' }, noon)).toEqual({ query: '', from: '2026-11-21T11:00:00.000Z' });
    expect(filterOf({ ...wholeView, range: '1h', span, verdicts: ['invalid'] }, noon)).toEqual({
      query: '',
      from: '2026-11-21T12:00:00.000Z',
      to: '2026-11-21T12:01:00.000Z',
      verdicts: ['invalid'],
    });
  });

  it('comes back from its link, and what is not a view is named', () => {
    const value = {
      item: 7,
      q: 'path:a',
      range: '3h' as const,
      time: { from: noon, to: noon + minute },
      verdict: ['too-soon' as const, 'invalid' as const],
      order: 'largest' as const,
      tab: 'raw' as const,
    };
    const { codec } = callbacksLink;
    expect(codec.parse(codec.format(value))).toEqual({ value, problems: [] });
    const odd = new URLSearchParams('verdict=nice&time=2026-11-22~2026-11-21');
    expect(codec.parse({ item: null, query: odd }).problems).toHaveLength(2);
  });
});

describe('the columns of the list', () => {
  it('are hidden if the list is too narrow, except path, monitor, verdict, and answer', () => {
    expect(fitColumns(defaultColumns, 900, 'h23')).toEqual(defaultColumns);
    expect(fitColumns(defaultColumns, 700, 'h23')).not.toContain('took');
    expect(fitColumns(defaultColumns, 700, 'h23')).toContain('number');
    // Half of a window of 1440 pixels: path and monitor come before the number.
    expect(fitColumns(defaultColumns, 620, 'h23')).toEqual(['request', 'monitor', 'verdict', 'answer']);
    expect(fitColumns(defaultColumns, 100, 'h12')).toEqual(['request', 'monitor', 'verdict', 'answer']);
  });

  it('name a monitor only if it is proven', () => {
    const names = new Map([['precipitation_2', 'Bergen harbor']]);
    const row = { monitorId: 'precipitation_2', isMonitorOwn: true };
    expect(formatMonitor(row, names)).toBe('Bergen harbor');
    expect(formatMonitor({ ...row, isMonitorOwn: false }, names)).toBe('precipitation_2 (claimed)');
    expect(formatMonitor({ ...row, eventType: 'precipitation.ended' }, names)).toBe('ended · Bergen harbor');
  });
});

describe('the sentences of a verdict', () => {
  const check = (name: CallbackCheck['check'], verdict: CallbackCheck['verdict'], message: string): CallbackCheck => ({
    check: name,
    verdict,
    message,
  });

  it('are four, what failed first, and what was not checked says so', () => {
    const sentences = verdictSentences(
      [
        check('request', 'ok', 'A JSON POST request.'),
        check('monitor', 'ok', 'The body is a Monitor object.'),
        check('hour', 'error', 'Too soon.'),
        check('signature', 'warning', 'Not signed.'),
      ],
      false,
    );
    expect(sentences.map(({ topic, verdict }) => `${topic}: ${verdict}`)).toEqual([
      'Cool-down: error',
      'Signature: warning',
      'API spec: ok',
      'Known monitor: unknown',
    ]);
    expect(sentences[2]?.message).toBe('A JSON POST request. The body is a Monitor object.');
  });

  it('link the callbacks that they name', () => {
    expect(linkedParts('Only 1 s after the event in callback 1715; 1 h is promised.')).toEqual([
      { text: 'Only 1 s after the event in ' },
      { text: 'callback 1715', callbackId: 1715 },
      { text: '; 1 h is promised.' },
    ]);
    expect(linkedParts('No link')).toEqual([{ text: 'No link' }]);
  });
});

describe('the list of callbacks', () => {
  const row = (id: number, kind = 'verified', count?: number) =>
    ({
      id,
      outcome: { kind },
      ...(count === undefined ? {} : { refusal: { count } }),
    }) as unknown as CallbackSummary;
  const ids = (log: ReturnType<typeof emptyLog>) =>
    Array.from({ length: rowCount(log) }, (_, index) => rowAt(log, index)?.id);

  it('grows at both ends without repeating a row', () => {
    const log = emptyLog();
    expect([newestId(log), oldestId(log), rowCount(log)]).toEqual([0, undefined, 0]);
    addOlder(log, [row(5), row(4)]);
    addOlder(log, [row(4), row(3)]);
    expect(addNewer(log, [row(7), row(6), row(5)])).toBe(2);
    expect(addNewer(log, [row(8), row(7)])).toBe(1);
    expect(ids(log)).toEqual([8, 7, 6, 5, 4, 3]);
    expect([newestId(log), oldestId(log), rowAt(log, 6)]).toEqual([8, 3, undefined]);
    // 9 and 2 are not in the list.
    expect([9, 6, 2].map((id) => countAbove(log, id))).toEqual([0, 2, 6]);
  });

  it('replaces rows whose outcome or count changed', () => {
    const log = emptyLog();
    addOlder(log, [row(2), row(1, 'refused', 1)]);
    addNewer(log, [row(3)]);
    expect(replaceRows(log, [row(3), row(2), row(1, 'refused', 1), row(9)])).toBe(false);
    const [changed, counted] = [row(3, 'late'), row(1, 'refused', 2)];
    expect(replaceRows(log, [changed])).toBe(true);
    expect(replaceRows(log, [counted])).toBe(true);
    expect([rowAt(log, 0), rowAt(log, 2)]).toEqual([changed, counted]);
    expect(ids(log)).toEqual([3, 2, 1]);
  });
});
