// world-atlas has no types: TopoJSON of Natural Earth with countries and land. Spelled out here, so that the compiler does not read a
// megabyte of numbers.
declare module 'world-atlas/countries-50m.json' {
  const topology: import('./world-outline.ts').WorldTopology;
  export default topology;
}
