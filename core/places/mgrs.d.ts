// Node reads the package's main file as CommonJS without named exports; its other file has them, but no types.
declare module 'mgrs/dist/mgrs.esm.js' {
  export { forward, toPoint } from 'mgrs';
}
