// The sandbox controls of a Rainbell service; UNAVAILABLE for other services.
import {
  clockMoveSchema,
  newScenarioSchema,
  newSeriesSchema,
  newWeatherFaultSchema,
  providerChoiceSchema,
  sandboxStateSchema,
} from '../service-api/sandbox.ts';
import { z } from 'zod';
import { procedure } from './base.ts';

export const sandbox = {
  state: procedure.output(sandboxStateSchema),
  /** The sandbox's built-in account, for its sign-in page, and its application's credentials; returned only on request. */
  account: procedure.output(
    z.object({ username: z.string(), password: z.string(), clientId: z.string(), clientSecret: z.string() }),
  ),
  /** The secret with which the sandbox signs callbacks; null for another service. */
  webhookSecret: procedure.output(z.object({ secret: z.string().nullable() })),
  /** "Make it rain here": adds a scenario and triggers a weather check now. */
  addScenario: procedure.input(newScenarioSchema).output(sandboxStateSchema),
  addSeries: procedure.input(newSeriesSchema).output(sandboxStateSchema),
  endScenario: procedure.input(z.object({ id: z.string().max(100) })).output(sandboxStateSchema),
  clearScenarios: procedure.output(sandboxStateSchema),
  moveClock: procedure.input(clockMoveSchema).output(sandboxStateSchema),
  chooseProvider: procedure.input(z.object({ choice: providerChoiceSchema })).output(sandboxStateSchema),
  /** Injects a weather fault for a while, to test a client with it; replaces the previous fault. */
  startWeatherFault: procedure.input(newWeatherFaultSchema).output(sandboxStateSchema),
  stopWeatherFault: procedure.output(sandboxStateSchema),
};
