import type { Feature, Parts } from '../app/feature.ts';
import { createAppEndpointCheck } from './app-endpoint-check.ts';
import { formatReport } from './check-report.ts';

/** Checks a handler of callbacks, with the guard, the proxy, and the secret of the connection in use. */
export function endpointCheck({ sending, webhookSecrets }: Parts): Feature<'endpointCheck'> {
  const check = createAppEndpointCheck({ ...sending, secrets: webhookSecrets.current });
  return {
    handlers: {
      endpointCheck: {
        prepare: ({ input }) => check.prepare(input.url),
        runCase: ({ input, signal }) => check.runCase(input, signal),
        sample: ({ input }) => check.sample(input),
        diagnose: ({ input, signal }) => check.diagnose(input, signal),
        report: ({ input }) => formatReport(input.report, input.format),
      },
    },
    close: check.close,
  };
}
