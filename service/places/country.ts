// Which country a place is in, by the borders of @rapideditor/country-coder. A territory with an ISO code of its own
// (Puerto Rico, Hong Kong) stands for itself; other parts of a country (Alaska, England) do not. Far out at sea is nowhere.
import { feature } from '@rapideditor/country-coder';
import type { LatLng } from '#contract/service-api/geo.ts';

export type Country = {
  /** As people call it, in English: `Italy`, `United States`. */
  name: string;
  /** The ISO 3166-1 code that its cities carry; a few disputed regions have none. */
  code: string | undefined;
};

/** What is read of a region; the package's own types stand on @types/geojson, which would be here for this alone. */
type Region = { nameEn: string; level: string; iso1A2: string | undefined; isoStatus: string | undefined };

const names = new Intl.DisplayNames('en', { type: 'region' });

export function countryAt({ lat, lng }: LatLng): Country | undefined {
  const territory = regionAt(lat, lng, 'territory');
  if (!territory) return undefined;
  if (territory.level === 'territory') {
    if (territory.iso1A2 && territory.isoStatus === 'official') {
      return { name: territory.nameEn, code: territory.iso1A2 };
    }
    const whole = regionAt(lat, lng, 'country');
    return whole && nameCountry(whole);
  }
  return nameCountry(territory);
}

function regionAt(lat: number, lng: number, level: string): Region | undefined {
  // The borders are drawn from -180 up to, and without, 180: the same meridian.
  const position: [number, number] = [lng === 180 ? -180 : lng, lat];
  const region: { properties: Region } | null = feature(position, { level });
  return region?.properties;
}

/** The borders' own names are formal (People's Republic of China); people expect the short one. */
function nameCountry({ nameEn, iso1A2: code }: Region): Country {
  return { name: code ? (names.of(code) ?? nameEn) : nameEn, code };
}
