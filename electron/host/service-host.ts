// The weather service in a utilityProcess of its own, so that slow queries never freeze a window.
import { join } from 'node:path';
import { utilityProcess } from 'electron';
import type { ServiceProcessData, ToServiceProcess } from '#core/hosting/service-messages.ts';
import { type ServiceRun, type ServiceRunEvents, superviseService } from '#core/hosting/service-supervisor.ts';

type Options = Omit<Parameters<typeof superviseService>[0], 'start'> & {
  builtFolder: string;
  data: ServiceProcessData;
};

export function startServiceProcess({ builtFolder, data, ...options }: Options): { close: () => Promise<void> } {
  const start = ({ onMessage, onExit }: ServiceRunEvents): ServiceRun => {
    const child = utilityProcess.fork(join(builtFolder, 'service-process.js'), [JSON.stringify(data)], {
      serviceName: 'Rainbell weather service',
    });
    child.on('message', onMessage);
    child.once('exit', onExit);
    return {
      requestClose: () => child.postMessage({ kind: 'close' } satisfies ToServiceProcess),
      end: () => void child.kill(),
    };
  };
  return superviseService({ ...options, start });
}
