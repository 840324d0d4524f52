// Coordinates in every usual notation, latitude first: decimal (`45.07, 7.69`, `45,07 7,69`, `33.9S 18.4E`), degrees with
// minutes and seconds (`45°04′12″N 7°41′E`, `N 45 04.2 E 7 41`), geo: URIs (RFC 5870), and addresses of maps.
import { type LatLng, latLngSchema } from '@rainbell/contract/service-api';

const maxTextLength = 2_000;

/** Undefined if the text is something else or lies outside of the globe. */
export function parseCoordinates(text: string): LatLng | undefined {
  const plain = text.trim().slice(0, maxTextLength).replaceAll(/[−–]/g, '-');
  const readers = [parseDecimals, parseSexagesimal, parseGeoUri, parseMapUrl];
  for (const read of readers) {
    const place = latLngSchema.safeParse(read(plain));
    if (place.success) return place.data;
  }
  return undefined;
}

// Apart, because a bundle can escape them here, but not in a raw text: its file is to be plain ASCII (vite.config.ts).
const degree = '°';
const degreeOrOrdinal = '°º';
const minuteMarks = "'′’";
const secondMarks = '"″”';

const decimal = String.raw`([+-]?\d{1,3}(?:[.,]\d+)?)\s*${degree}?\s*`;
const decimalPair = new RegExp(
  String.raw`^${decimal}([NS])?(?:\s*[;/]\s*|\s*,\s+|\s+|(?<=[NS])\s*,?\s*)${decimal}([EW])?$`,
  'i',
);
const pointPair = new RegExp(
  String.raw`^([+-]?\d{1,3}(?:\.\d+)?)\s*${degree}?\s*([NS])?\s*,\s*([+-]?\d{1,3}(?:\.\d+)?)\s*${degree}?\s*([EW])?$`,
  'i',
);

function parseDecimals(text: string): LatLng | undefined {
  const match = pointPair.exec(text) ?? decimalPair.exec(text);
  if (!match) return undefined;
  const [, lat = '', northOrSouth = '', lng = '', eastOrWest = ''] = match;
  return { lat: signed(toNumber(lat), northOrSouth), lng: signed(toNumber(lng), eastOrWest) };
}

const minutes = String.raw`(\d{1,2}(?:[.,]\d+)?)\s*(?:[${minuteMarks}]|m(?:in)?\b)?\s*`;
const seconds = String.raw`(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:[${secondMarks}]|''|s(?:ec)?\b)?\s*)?`;
const angle = String.raw`([+-]?\d{1,3})\s*(?:[${degreeOrOrdinal}:d]|deg|\s)\s*(?::?\s*${minutes}:?\s*${seconds})?`;
const letterBehind = new RegExp(String.raw`^${angle}([NS])\s*[,;]?\s*${angle}([EW])$`, 'i');
const letterBefore = new RegExp(String.raw`^([NS])\s*${angle}[,;]?\s*([EW])\s*${angle}$`, 'i');
const withoutLetters = new RegExp(String.raw`^${angle}[,;]\s*${angle}$`);

function parseSexagesimal(text: string): LatLng | undefined {
  const behind = letterBehind.exec(text)?.slice(1);
  if (behind) return { lat: degrees(behind.slice(0, 3), behind[3]), lng: degrees(behind.slice(4, 7), behind[7]) };
  const before = letterBefore.exec(text)?.slice(1);
  if (before) return { lat: degrees(before.slice(1, 4), before[0]), lng: degrees(before.slice(5, 8), before[4]) };
  const bare = withoutLetters.exec(text)?.slice(1);
  return bare && { lat: degrees(bare.slice(0, 3)), lng: degrees(bare.slice(3, 6)) };
}

/** Converts degrees, minutes, and seconds; NaN if minutes or seconds reach 60. */
function degrees([whole = '0', minute, second]: readonly (string | undefined)[], letter = ''): number {
  const [minuteValue, secondValue] = [toNumber(minute ?? '0'), toNumber(second ?? '0')];
  if (minuteValue >= 60 || secondValue >= 60) return Number.NaN;
  const value = Math.abs(Number(whole)) + minuteValue / 60 + secondValue / 3600;
  return rounded(signed(whole.startsWith('-') ? -value : value, letter));
}

function parseGeoUri(text: string): LatLng | undefined {
  const match = /^geo:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)(?:[,;?].*)?$/i.exec(text);
  const crs = /;crs=([^;?]+)/i.exec(text)?.[1];
  return match && (crs ?? 'wgs84').toLowerCase() === 'wgs84' ? pair(match[1], match[2]) : undefined;
}

const number = String.raw`(-?\d{1,3}(?:\.\d+)?)`;
/** Google Maps (the pin, then the view), OpenStreetMap (the pin, then the view), Apple, Bing, and others. */
const mapForms = [
  new RegExp(`!3d${number}!4d${number}`),
  new RegExp(String.raw`[?&#]mlat=${number}&mlon=${number}`),
  new RegExp(
    String.raw`[?&#](?:q|ll|query|center|cp|daddr|destination|coordinate|sll)=(?:loc:)?${number}[,~]\s*\+?${number}`,
  ),
  new RegExp(String.raw`[?&#]lat=${number}&(?:lng|lon|long)=${number}`),
  new RegExp(`@${number},${number}`),
  new RegExp(String.raw`#(?:map=)?\d+(?:\.\d+)?/${number}/${number}`),
];

function parseMapUrl(text: string): LatLng | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const plain = text.replaceAll(/%2C/gi, ',').replaceAll(/%7E/gi, '~');
  const match = mapForms.map((form) => form.exec(plain)).find((found) => found !== null);
  return match ? pair(match[1], match[2]) : undefined;
}

function pair(lat = '', lng = ''): LatLng {
  return { lat: Number(lat), lng: Number(lng) };
}

function toNumber(text: string): number {
  return Number(text.replace(',', '.'));
}

function signed(value: number, letter: string): number {
  return /[SW]/i.test(letter) ? -value : value;
}

/** To a tenth of a meter; more digits come from the conversion only. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6 + 0;
}
