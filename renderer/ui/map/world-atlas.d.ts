// world-atlas has no types: two TopoJSON files of Natural Earth, each with countries and land. Spelled out here, so that the
// compiler does not read a megabyte of numbers.
declare module 'world-atlas/countries-110m.json' {
  const topology: import('./world-outline.ts').WorldTopology;
  export default topology;
}
declare module 'world-atlas/countries-50m.json' {
  const topology: import('./world-outline.ts').WorldTopology;
  export default topology;
}
