// Every procedure between screen and core, in one table. Client and server types derive from it.
import type { ContractRouterClient } from '@orpc/contract';
import { agents } from './agents.ts';
import { app } from './app.ts';
import { callbacks } from './callbacks.ts';
import { connections } from './connections.ts';
import { data } from './data.ts';
import { diagnostics } from './diagnostics.ts';
import { endpointCheck } from './endpoint-check.ts';
import { forecast } from './forecast.ts';
import { monitorBulk } from './monitor-bulk.ts';
import { monitorFronts } from './monitor-fronts.ts';
import { monitors } from './monitors.ts';
import { notifications } from './notifications.ts';
import { places } from './places.ts';
import { rules } from './rules.ts';
import { sandbox } from './sandbox.ts';
import { session } from './session.ts';
import { settings } from './settings.ts';
import { traffic } from './traffic.ts';
import { updates } from './updates.ts';

/** Named explicitly: the inferred type is too long for the compiler to emit. */
export type AppContract = {
  agents: typeof agents;
  app: typeof app;
  callbacks: typeof callbacks;
  connections: typeof connections;
  data: typeof data;
  diagnostics: typeof diagnostics;
  endpointCheck: typeof endpointCheck;
  forecast: typeof forecast;
  monitorBulk: typeof monitorBulk;
  monitorFronts: typeof monitorFronts;
  monitors: typeof monitors;
  notifications: typeof notifications;
  places: typeof places;
  rules: typeof rules;
  sandbox: typeof sandbox;
  session: typeof session;
  settings: typeof settings;
  traffic: typeof traffic;
  updates: typeof updates;
};

export const appContract: AppContract = {
  agents,
  app,
  callbacks,
  connections,
  data,
  diagnostics,
  endpointCheck,
  forecast,
  monitorBulk,
  monitorFronts,
  monitors,
  notifications,
  places,
  rules,
  sandbox,
  session,
  settings,
  traffic,
  updates,
};

/** The client that the screens use. */
export type AppClient = ContractRouterClient<AppContract>;
