// The controls of our own service's sandbox; on a foreign service each answers UNAVAILABLE.
import {
  clockMoveSchema,
  newScenarioSchema,
  newWeatherFaultSchema,
  providerChoiceSchema,
  sandboxStateSchema,
} from '#contract/service-api/sandbox.ts';
import { z } from 'zod';
import { procedure } from './base.ts';

export const sandbox = {
  state: procedure.output(sandboxStateSchema),
  /** The account that came with the sandbox, for its sign-in page; told only when asked for. */
  account: procedure.output(z.object({ username: z.string(), password: z.string() })),
  /** "Make it rain here": lays a scenario over the weather and has the watch look at once. */
  addScenario: procedure.input(newScenarioSchema).output(sandboxStateSchema),
  endScenario: procedure.input(z.object({ id: z.string().max(100) })).output(sandboxStateSchema),
  clearScenarios: procedure.output(sandboxStateSchema),
  moveClock: procedure.input(clockMoveSchema).output(sandboxStateSchema),
  chooseProvider: procedure.input(z.object({ choice: providerChoiceSchema })).output(sandboxStateSchema),
  /** The weather misbehaves for a while, so that a client can be tried against it; replaces the fault before. */
  breakWeather: procedure.input(newWeatherFaultSchema).output(sandboxStateSchema),
  mendWeather: procedure.output(sandboxStateSchema),
};
