// What a monitor would have done (contract/service-api/backtest.ts).
import { z } from 'zod';
import { latLngSchema } from '../service-api/geo.ts';
import { conditionsSchema } from '../service-api/rain-event.ts';
import { procedure } from './base.ts';

/** Without conditions, the monitor of the API spec; with them, one with its own events, whose starts count. */
const backtestQuestionSchema = latLngSchema.extend({
  conditions: conditionsSchema.omit({ lead_minutes: true }).required().optional(),
});
export type BacktestQuestion = z.infer<typeof backtestQuestionSchema>;

export const backtest = {
  /** Returns the service's sentence. Only for services that offer it (`DeliveryStates.hasBacktest`). */
  run: procedure.input(backtestQuestionSchema).output(z.string()),
};
