// Maps the weather groups of a METAR (`-SHRA BR`, `VCTS`; WMO code table 4678) and its cloud cover to the interface's statuses, and
// to whether it precipitates. Reads only `wxString`: station IDs look like weather codes.
import type { PrecipitationType, Status } from '@rainbell/contract/service-api';
import type { Observation } from '../reading/reading.ts';
import { withWind } from '../reading/wmo-status.ts';

type Group = { isLight: boolean; isVicinity: boolean; descriptor: string; phenomena: readonly string[] };

const groupForm =
  /^(?<intensity>[+-]|VC)?(?<descriptor>MI|PR|BC|DR|BL|SH|TS|FZ)?(?<phenomena>(?:DZ|RA|SN|SG|IC|PL|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS)*)$/;

const hail = ['GR', 'GS'];
const snow = ['SN', 'PL'];
const rain = ['RA', 'DZ', 'UP'];
const haze = ['FG', 'BR', 'HZ', 'FU', 'VA', 'DU', 'SA', 'PO', 'SS', 'DS'];
/** Ice crystals fall from a clear sky; WMO lists them among precipitation. */
const lightIce = ['SG', 'IC'];
const falling = new Set([...hail, ...snow, ...rain, ...lightIce]);

export type ReportedWeather = {
  /** `wxString`; absent means that no weather was observed, `//` that the sensor detected nothing. */
  groups: string | undefined;
  /** Sky cover in the report, such as `FEW`, `OVC`, `CAVOK`; undefined if missing. */
  cover: string | undefined;
  windMetresPerSecond: number | undefined;
};

/** Returns `unknown` if the report has too little data; never a guess. */
export function statusOfReport({ groups, cover, windMetresPerSecond }: ReportedWeather): Status {
  if (hasNoData(groups)) return 'unknown';
  const read = readGroups(groups);
  const status = statusOfGroups(read.filter((group) => !group.isVicinity));
  if (status) return status;
  // Thunder or showers in the vicinity: the sky there is not clear, whatever is above the station.
  if (read.some(isInSight)) return 'cloudy';
  return withWind(statusOfCover(cover), windMetresPerSecond);
}

/** Whether rain, snow, or ice falls at the station itself: not in the vicinity (VC), recent (RE), or blowing (BL, DR). */
export function isFalling(groups: string | undefined): boolean {
  return readGroups(groups).some((group) => !group.isVicinity && phenomenaThatFall(group).length > 0);
}

/** Returns what falls at the station; `unknown` if the report doesn't say (`UP`). */
export function kindOfReport(groups: string | undefined): PrecipitationType {
  const read = readGroups(groups).filter((group) => !group.isVicinity);
  const found = new Set(read.flatMap(phenomenaThatFall));
  const has = (kinds: readonly string[]) => kinds.some((kind) => found.has(kind));
  if (has(hail)) return 'hail';
  if (read.some((group) => group.descriptor === 'FZ' && phenomenaThatFall(group).length > 0)) return 'freezing_rain';
  const isSnow = has(['SN', ...lightIce]);
  const isRain = has(['RA', 'DZ']);
  if (has(['PL']) || (isSnow && isRain)) return 'sleet';
  return isSnow ? 'snow' : isRain ? 'rain' : 'unknown';
}

/**
 * Showers in the vicinity (VCSH) are 8 to 16 km away: neither precipitation at the station nor its absence. The hour's amount
 * (`P0003`) and recent weather (`RERA`) are about the time before the report. `remarks` is the raw report.
 */
export function precipitationOf(groups: string | undefined, remarks: string): Observation['precipitation'] {
  if (isFalling(groups)) return 'falling';
  if (wordsOf(groups).some(isRecent) || /\sP\d{4}(?:\s|$)/.test(remarks)) return 'recent';
  if (hasNoData(groups)) return undefined;
  // A station that cannot detect precipitation, or cannot now.
  if (/\s(?:AO1|PWINO|\/\/)(?:\s|$)/.test(remarks)) return undefined;
  return readGroups(groups).some(isInSight) ? undefined : 'none';
}

function wordsOf(groups: string | undefined): string[] {
  return (groups ?? '').split(/\s+/);
}

function readGroups(groups: string | undefined): Group[] {
  return wordsOf(groups).flatMap(readGroup);
}

function hasNoData(groups: string | undefined): boolean {
  return wordsOf(groups).some((word) => word === 'NIL' || word.startsWith('//'));
}

function isInSight({ isVicinity, descriptor }: Group): boolean {
  return isVicinity && (descriptor === 'TS' || descriptor === 'SH');
}

function isRecent(word: string): boolean {
  return word.startsWith('RE') && isFalling(word.slice(2));
}

/** An empty list for anything but present weather, such as `RERA`. An empty word is a group without weather. */
function readGroup(word: string): Group[] {
  const parts = groupForm.exec(word)?.groups;
  if (!parts) return [];
  const { intensity, descriptor = '', phenomena = '' } = parts;
  return [
    {
      isLight: intensity === '-',
      isVicinity: intensity === 'VC',
      descriptor,
      phenomena: phenomena.match(/../g) ?? [],
    },
  ];
}

function phenomenaThatFall({ descriptor, phenomena }: Group): readonly string[] {
  if (descriptor === 'BL' || descriptor === 'DR') return [];
  return phenomena.filter((phenomenon) => falling.has(phenomenon));
}

function statusOfGroups(groups: readonly Group[]): Status | undefined {
  const seen = groups.flatMap((group) => phenomenaThatFall(group).map((phenomenon) => ({ phenomenon, group })));
  const any = (kinds: readonly string[]) => seen.some(({ phenomenon }) => kinds.includes(phenomenon));
  if (any(hail)) return 'hailing';
  // A funnel cloud, and with a plus a tornado or waterspout, belongs to a thunderstorm.
  if (groups.some(({ descriptor, phenomena }) => descriptor === 'TS' || phenomena.includes('FC'))) return 'stormy';
  if (any(snow)) return isOnlyLightSnow(seen) ? 'snow flurries' : 'snowy';
  if (any(rain)) return 'rainy';
  if (any(lightIce)) return 'snow flurries';
  return groups.some(({ phenomena }) => phenomena.some((phenomenon) => haze.includes(phenomenon)))
    ? 'foggy'
    : undefined;
}

function isOnlyLightSnow(seen: readonly { phenomenon: string; group: Group }[]): boolean {
  return seen.every(({ phenomenon, group }) => lightIce.includes(phenomenon) || (phenomenon === 'SN' && group.isLight));
}

const statusByCover: ReadonlyMap<string, Status> = new Map([
  ...['CLR', 'SKC', 'NSC', 'NCD', 'CAVOK', 'FEW'].map((cover) => [cover, 'sunny'] as const),
  ...['SCT', 'BKN'].map((cover) => [cover, 'partly cloudy'] as const),
  ['OVC', 'cloudy'],
  ...['OVX', 'VV'].map((cover) => [cover, 'foggy'] as const),
]);

function statusOfCover(cover: string | undefined): Status {
  return statusByCover.get(cover ?? '') ?? 'unknown';
}
