// The weather service in a utilityProcess of its own, so that slow queries never freeze a window.
import { join } from 'node:path';
import { utilityProcess } from 'electron';
import {
  type FromServiceProcess,
  type Log,
  type ProxyAnswer,
  type ProxyQuestion,
  type ServiceProcessData,
  superviseService,
  type SupervisorOptions,
  type ToServiceProcess,
} from '@rainbell/core';
import { systemProxyFor } from '@rainbell/shared/node';

type Options = Omit<SupervisorOptions, 'start'> & {
  builtFolder: string;
  data: ServiceProcessData;
  log: Log;
};

export function startServiceProcess({ builtFolder, data, log, ...options }: Options): { close: () => Promise<void> } {
  const start: SupervisorOptions['start'] = ({ onMessage, onExit }) => {
    const child = utilityProcess.fork(join(builtFolder, 'service-process.js'), [JSON.stringify(data)], {
      serviceName: 'Rainbell weather service',
    });
    child.on('message', (message: FromServiceProcess | ProxyQuestion) => {
      if (message.kind !== 'resolve-proxy') onMessage(message);
      else void answer(message);
    });
    async function answer({ id, url }: ProxyQuestion): Promise<void> {
      const proxyUrl = await systemProxyFor(new URL(url));
      child.postMessage({ kind: 'proxy', id, proxyUrl } satisfies ProxyAnswer);
    }
    // `exit` follows. The event's report is not logged, because it contains environment variables.
    child.on('error', (type, location) => log.error({ type, location }, 'a fatal error ended the service process'));
    child.once('exit', onExit);
    return {
      requestClose: () => child.postMessage({ kind: 'close' } satisfies ToServiceProcess),
      end: () => void child.kill(),
    };
  };
  return superviseService({ ...options, start });
}
