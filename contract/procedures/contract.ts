// Every procedure between screen and core, in one table. Client and server types derive from it.
import type { ContractRouterClient } from '@orpc/contract';
import { app } from './app.ts';
import { callbacks } from './callbacks.ts';
import { forecast } from './forecast.ts';
import { monitors } from './monitors.ts';
import { places } from './places.ts';
import { rules } from './rules.ts';
import { sandbox } from './sandbox.ts';
import { settings } from './settings.ts';

export const appContract = { app, callbacks, forecast, monitors, places, rules, sandbox, settings };

/** What the screens call. */
export type AppClient = ContractRouterClient<typeof appContract>;
