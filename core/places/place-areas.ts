// Countries and regions as people type them behind a name: `Springfield, IL`, `Paris, France`, `portland maine`.
import { foldName } from './fold-name.ts';

/** `code`: the country's and the region's, as GeoNames has them (`US.IL`). */
export type Region = { code: string; name: string };

/** A country, or a region of it (by number from 1 on). */
export type Area = { countryCode: string; region?: number; code?: string };

/** Countries whose regions GeoNames names by their usual letters; elsewhere it numbers them. */
const lettered = /^(US|AU|CH|BE)\.[A-Z]{2,3}$/;

export function createAreas(regions: readonly Region[]) {
  const byName = new Map<string, Area[]>();
  const add = (name: string, area: Area) => byName.set(name, [...(byName.get(name) ?? []), area]);
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const countryCodes = new Set(regions.map(({ code }) => code.slice(0, 2)));
  for (const countryCode of countryCodes) {
    add(countryCode.toLowerCase(), { countryCode });
    add(foldName(names.of(countryCode) ?? countryCode), { countryCode });
  }
  for (const [index, { code, name }] of regions.entries()) {
    const area = { countryCode: code.slice(0, 2), region: index + 1, code };
    add(foldName(name), area);
    if (lettered.test(code)) add(code.slice(3).toLowerCase(), area);
  }
  const find = (name: string) => byName.get(foldName(name)) ?? [];

  return {
    /**
     * The possible meanings of a text, likeliest first: a name, and the area to search. An empty name means all of the area.
     * `isLastResort`: also if a likelier meaning finds only few places.
     */
    split(text: string): { text: string; area: Area | undefined; isLastResort?: boolean }[] {
      const comma = text.lastIndexOf(',');
      const commas = comma > 0 ? find(text.slice(comma + 1)).map((area) => ({ text: text.slice(0, comma), area })) : [];
      // Without a comma, the last word or the last two may be an area, if nothing has the whole name.
      const words = text.trim().split(/\s+/);
      const lastTerms = [1, 2].flatMap((count) =>
        words.length <= count
          ? []
          : find(words.slice(-count).join(' ')).map((area) => ({ text: words.slice(0, -count).join(' '), area })),
      );
      const whole = text.trim().length > 2 ? find(text).map((area) => ({ text: '', area, isLastResort: true })) : [];
      return [...commas, { text, area: undefined }, ...lastTerms, ...whole];
    },
  };
}
