// The door of contract/monitor-files: what other packages may use.
export { fileColumns, monitorsAsCsv, monitorsAsJson } from './export-monitors.ts';
export {
  type FileColumn,
  type ImportColumn,
  isJsonText,
  planImport,
  type PlannedRow,
  readFileColumns,
} from './import-plan.ts';
export { MonitorIndex, thisApp } from './monitor-index.ts';
