// The world's land and borders as SVG path texts in degrees (x = longitude, y = −latitude), cut at the antimeridian by d3-geo.
// Natural Earth through world-atlas, bundled: no tiles, no network. Loaded on demand.
import { geoEquirectangular, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** The shape of world-atlas' files, which have no types of their own (world-atlas.d.ts). */
export type WorldTopology = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

export type WorldOutline = { land: string; borders: string };

export async function loadWorldOutline(): Promise<WorldOutline> {
  const { default: topology } = await import('world-atlas/countries-50m.json');
  // An equirectangular projection of this scale is plain degrees; its path generator cuts polygons at ±180° and closes them along
  // the poles, which the raw coordinates do not.
  const path = geoPath(
    geoEquirectangular()
      .scale(180 / Math.PI)
      .translate([0, 0])
      .precision(0),
  ).digits(3);
  const { land, countries } = topology.objects;
  return {
    land: path(feature(topology, land)) ?? '',
    borders: path(mesh(topology, countries, (one, other) => one !== other)) ?? '',
  };
}
