// The door of contract/monitor-files: what other packages may use.
export { monitorsAsCsv, monitorsAsJson } from './export-monitors.ts';
export { isJsonText, planImport, type PlannedRow } from './import-plan.ts';
export { MonitorIndex, thisApp } from './monitor-index.ts';
