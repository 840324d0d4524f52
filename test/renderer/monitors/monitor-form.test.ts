// What the form of a monitor shows, how it is read, and which changes it makes.
import { describe, expect, it } from 'vitest';
import {
  changesOf,
  formFor,
  formOf,
  type MonitorForm,
  readForm,
} from '#renderer/features/monitors/common/monitor-form.ts';
import { addressOf, monitorOf } from './monitor-samples.ts';

const first = monitorOf('p1', { name: 'Torino', tags: ['a', 'b'], note: 'one' });
const form = (part: Partial<MonitorForm> = {}): MonitorForm => ({
  lat: '45',
  lng: '7',
  target: 'this-app',
  address: '',
  notes: { name: '', tags: [], note: '' },
  ...part,
});

describe('the form of a monitor', () => {
  it('shows what the monitor has', () => {
    expect(formFor({ lat: 1.5, lng: -2 })).toEqual(form({ lat: '1.5', lng: '-2' }));
    const own = monitorOf('p', { toThisApp: true, callbackUri: 'http://127.0.0.1/a' });
    expect(formOf(own)).toEqual(form({ target: 'address', address: 'http://127.0.0.1/a' }));
    const notes = { name: 'Torino', tags: ['a', 'b'], note: 'one' };
    expect(formOf(first)).toEqual(form({ target: 'address', address: 'https://ops.example.net/rain', notes }));
    expect(formOf(monitorOf('p', { callbackUri: null }))).toEqual(form({ target: 'keep' }));
  });

  it('is read as a place and a callback', () => {
    const geo = { lat: 45, lng: 7 };
    const read = (part: Partial<MonitorForm>) => readForm(form(part));
    expect(read({ address: 'nonsense' })).toEqual({ ok: true, value: { geo, callback: { kind: 'this-app' } } });
    expect(read({ target: 'keep' })).toEqual({ ok: true, value: { geo, callback: null } });
    expect(read({ target: 'address', address: 'https://a.example/x' })).toEqual({
      ok: true,
      value: { geo, callback: addressOf('https://a.example/x') },
    });
  });

  it.each<[Partial<MonitorForm>, string[]]>([
    [{ lat: '91' }, ['lat']],
    [{ lng: '181' }, ['lng']],
    [{ target: 'address', address: 'nonsense' }, ['address']],
    [{ lat: 'x', lng: '', target: 'address' }, ['lat', 'lng', 'address']],
  ])('%j has problems only with %j', (part, fields) => {
    expect(readForm(form(part))).toEqual({
      ok: false,
      problems: Object.fromEntries(fields.map((field) => [field, expect.any(String) as string])),
    });
  });

  it('changes only what differs', () => {
    const { geo } = first;
    expect(changesOf(first, { geo, callback: null })).toEqual({});
    expect(changesOf(first, { geo, callback: addressOf('https://ops.example.net/rain') })).toEqual({});
    const moved = [
      { lat: 46, lng: 7 },
      { lat: 45, lng: 8 },
    ];
    for (const place of moved) expect(changesOf(first, { geo: place, callback: null })).toEqual({ geo: place });
    for (const callback of [{ kind: 'this-app' } as const, addressOf('https://b.example/')])
      expect(changesOf(first, { geo, callback })).toEqual({ callback });
    const own = monitorOf('p', { toThisApp: true });
    expect(changesOf(own, { geo: own.geo, callback: { kind: 'this-app' } })).toEqual({});
    const options = { payload: 'event' } as const;
    const opted = { ...first, options };
    expect(formOf(opted).options).toEqual(options);
    expect(changesOf(opted, { geo, callback: null, options })).toEqual({});
    expect(changesOf(opted, { geo, callback: null })).toEqual({});
    expect(changesOf(opted, { geo, callback: null, options: {} })).toEqual({ options: {} });
    expect(changesOf(first, { geo, callback: null, options })).toEqual({ options });
  });
});
