// A line per feature: to remove one, delete its line and its folder.
export { access } from '../features/access/index.ts';
export { agents } from '../features/agents/index.ts';
export { backtest } from '../features/backtest/index.ts';
export { callbacks } from '../features/callbacks/index.ts';
export { connections } from '../features/connections/index.ts';
export { events } from '../features/events/index.ts';
export { firstMinute } from '../features/first-minute/index.ts';
export { forecast } from '../features/forecast/index.ts';
export { fronts } from '../features/fronts/index.ts';
export { handler } from '../features/handler/index.ts';
export { help } from '../features/help/index.ts';
export { monitors } from '../features/monitors/index.ts';
export { palette } from '../features/palette/index.ts';
export { rules } from '../features/rules/index.ts';
export { sandbox } from '../features/sandbox/index.ts';
export { settings } from '../features/settings/index.ts';
export { traffic } from '../features/traffic/index.ts';
