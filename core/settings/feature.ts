import { settingsSchema } from '@rainbell/contract/app-rpc';
import { limitsWith } from '../receiver/access/receiver-limits.ts';
import { defined, type Feature, type Parts } from '../app/feature.ts';

export function settings({ settings: stored, receiver, events, screens, host }: Parts): Feature<'settings'> {
  const apply = () => host.applySettings?.(stored.get());
  /** Without the connections, which the same file holds. */
  const shown = () => settingsSchema.parse(stored.get());
  apply();
  events.on('settingsChanged', apply);
  const notice = () => ({ topic: 'settings', values: shown() }) as const;
  events.on('settingsChanged', () => {
    screens.publish(notice());
    screens.publish({ topic: 'status' });
  });
  return {
    handlers: {
      settings: {
        async update({ input }) {
          const headLimit = stored.get().keptLimits.headerKilobytes;
          const updated = stored.update(defined(input));
          if (input.keptLimits) await receiver.call('setLimits', limitsWith(updated.keptLimits));
          // Node's server has one limit for its whole life.
          if (updated.keptLimits.headerKilobytes !== headLimit) await receiver.reopen();
        },
      },
    },
    notices: () => [notice()],
  };
}
