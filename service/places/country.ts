// Finds a place's country by the borders of @rapideditor/country-coder. A territory with its own ISO code (Puerto Rico, Hong Kong)
// is a country; other parts of a country (Alaska, England) are not. The open sea has none.
import { feature } from '@rapideditor/country-coder';
import type { LatLng } from '@rainbell/contract/service-api';

export type Country = {
  /** The usual English name: `Italy`, `United States`. */
  name: string;
  /** The ISO 3166-1 code of its cities; a few disputed regions have none. */
  code: string | undefined;
};

/** The properties used of a region; the package's own types need @types/geojson, which nothing else here does. */
type Region = { nameEn: string; level: string; iso1A2: string | undefined; isoStatus: string | undefined };

const names = new Intl.DisplayNames('en', { type: 'region' });

export function countryAt({ lat, lng }: LatLng): Country | undefined {
  const territory = regionAt(lat, lng, 'territory');
  if (!territory) return undefined;
  // Not only territories: the mainland of Australia is a group of its states.
  if (territory.level !== 'country') {
    if (territory.iso1A2 && territory.isoStatus === 'official') {
      return { name: territory.nameEn, code: territory.iso1A2 };
    }
    const whole = regionAt(lat, lng, 'country');
    return whole ? nameCountry(whole) : territory.level === 'territory' ? undefined : nameCountry(territory);
  }
  return nameCountry(territory);
}

function regionAt(lat: number, lng: number, level: string): Region | undefined {
  // The borders are drawn from -180 up to, and without, 180: the same meridian.
  const position: [number, number] = [lng === 180 ? -180 : lng, lat];
  const region: { properties: Region } | null = feature(position, { level });
  return region?.properties;
}

/** Returns the short name; the borders' own names are formal (People's Republic of China). */
function nameCountry({ nameEn, iso1A2: code }: Region): Country {
  return { name: code ? (names.of(code) ?? nameEn) : nameEn, code };
}
