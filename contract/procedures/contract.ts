// Every procedure between screen and core, in one table. Client and server types derive from it.
import type { ContractRouterClient } from '@orpc/contract';
import { app } from './app.ts';
import { callbacks } from './callbacks.ts';
import { connections } from './connections.ts';
import { diagnostics } from './diagnostics.ts';
import { forecast } from './forecast.ts';
import { monitors } from './monitors.ts';
import { places } from './places.ts';
import { rules } from './rules.ts';
import { sandbox } from './sandbox.ts';
import { session } from './session.ts';
import { settings } from './settings.ts';
import { traffic } from './traffic.ts';

export const appContract = {
  app,
  callbacks,
  connections,
  diagnostics,
  forecast,
  monitors,
  places,
  rules,
  sandbox,
  session,
  settings,
  traffic,
};

/** What the screens call. */
export type AppClient = ContractRouterClient<typeof appContract>;
