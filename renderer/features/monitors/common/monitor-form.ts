// The form of a monitor: what was typed, what it means, and which fields changed.
import type { AppMonitor, CallbackTarget, MonitorNotes } from '@rainbell/contract/app-rpc';
import { isSamePlace, type LatLng, type MonitorOptions } from '@rainbell/contract/service-api';
import { normalUrl, parseCallbackAddress, parseDegrees, writeDegrees } from '@rainbell/shared';
import type { MonitorDraft } from './monitor-list-slice.ts';

export type MonitorForm = {
  lat: string;
  lng: string;
  /** `keep` does not change a URL that the service did not return. */
  target: 'this-app' | 'address' | 'keep';
  address: string;
  options?: MonitorOptions;
  notes: MonitorNotes;
};

export type FormProblems = { lat?: string; lng?: string; address?: string };

export function formFor(place: LatLng): MonitorForm {
  const notes = { name: '', tags: [], note: '' };
  return { lat: writeDegrees(place.lat), lng: writeDegrees(place.lng), target: 'this-app', address: '', notes };
}

/** With the URL, even if it is this app's: the details show the value in the request. */
export function formOf({ geo, callbackUri, options, name, tags, note }: AppMonitor): MonitorForm {
  const target = callbackUri === null ? 'keep' : 'address';
  const notes = { name, tags, note };
  return { ...formFor(geo), target, address: callbackUri ?? '', ...(options && { options }), notes };
}

export type ReadForm = { geo: LatLng; callback: CallbackTarget | null; options?: MonitorOptions };

/** Returns the form's values, or its problems by field. `callback` is null if it stays unchanged. */
export function readForm(form: MonitorForm): { ok: true; value: ReadForm } | { ok: false; problems: FormProblems } {
  const lat = parseDegrees(form.lat, 'lat');
  const lng = parseDegrees(form.lng, 'lng');
  const address = form.target === 'address' ? parseCallbackAddress(form.address) : undefined;
  if (!lat.ok || !lng.ok || address?.ok === false) {
    const problems: FormProblems = {};
    if (!lat.ok) problems.lat = lat.problem;
    if (!lng.ok) problems.lng = lng.problem;
    if (address?.ok === false) problems.address = address.problem;
    return { ok: false, problems };
  }
  const geo = { lat: lat.value, lng: lng.value };
  const { options } = form;
  return { ok: true, value: { geo, callback: targetOf(form, address?.value), ...(options && { options }) } };
}

function targetOf(form: MonitorForm, uri: string | undefined): CallbackTarget | null {
  if (form.target === 'keep') return null;
  return form.target === 'this-app' || uri === undefined ? { kind: 'this-app' } : { kind: 'address', uri };
}

/** Only the fields that differ, for PATCH. */
export function changesOf(monitor: AppMonitor, { geo, callback, options }: ReadForm): Partial<MonitorDraft> {
  const isOtherUrl = (uri: string) => normalUrl(uri) !== normalUrl(monitor.callbackUri ?? '');
  const isRedirected =
    callback !== null && (callback.kind === 'this-app' ? !monitor.toThisApp : isOtherUrl(callback.uri));
  const isOther = options !== undefined && optionsText(options) !== optionsText(monitor.options);
  return {
    ...(isSamePlace(geo, monitor.geo) ? {} : { geo }),
    ...(isRedirected ? { callback } : {}),
    ...(isOther ? { options } : {}),
  };
}

/** Without any, a monitor sends itself. */
function optionsText(options: MonitorOptions = {}): string {
  return JSON.stringify(options);
}

/** By the text of every field: other text of the same meaning is still being typed. */
export function isSameForm(one: MonitorForm, other: MonitorForm): boolean {
  const isSameText = (['address', 'lat', 'lng'] as const).every((field) => one[field] === other[field]);
  const isSameNotes = JSON.stringify(one.notes) === JSON.stringify(other.notes);
  return isSameText && isSameNotes && optionsText(one.options) === optionsText(other.options);
}

/** Tags to choose from: those of these monitors. */
export function tagsOf(monitors: readonly AppMonitor[]): string[] {
  return [...new Set(monitors.flatMap(({ tags }) => tags))].slice(0, 200);
}
