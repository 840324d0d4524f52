import { z } from 'zod';
import { monitorViewSchema } from '@rainbell/contract/app-rpc';
import { defined, type Feature, type Parts } from '../app/feature.ts';
import { openStoredList } from '../database/stored-document.ts';

export function monitors(parts: Parts): Feature<'monitors' | 'monitorBulk'> {
  const { monitors: listed, bulkRuns, deliveries, events, screens, db } = parts;
  const views = openStoredList(db, 'monitor views', z.array(monitorViewSchema));
  events.on('monitorsChanged', () => screens.publish({ topic: 'monitors' }));
  return {
    handlers: {
      monitors: {
        list: ({ signal }) => listed.list(signal),
        create: ({ input, signal }) => listed.create(input, { signal }),
        update: ({ input, signal }) =>
          listed.update(input.id, defined(input.changes), { readBack: input.readBack, signal }),
        replace: ({ input, signal }) => listed.replace(input.id, input, { signal }),
        delete: ({ input }) => listed.delete(input.id),
        deleteLater: ({ input }) => listed.deleteLater(input.ids),
        undoDelete: ({ input }) => listed.undoDelete(input.ids),
        setNotes: ({ input }) => listed.setNotes(input.id, input.notes),
        views: () => ({ views: [...views.get()] }),
        replaceViews: ({ input }) => views.replace(input.views),
        deliveryStates: deliveries.states,
        events: ({ input, signal }) => deliveries.events(input, { signal }),
        explain: async ({ input, signal }) => ({
          explanation: (await deliveries.explain(input.id, { signal, isBackground: true })) ?? null,
        }),
        resend: ({ input }) => deliveries.resend(input.id, input.eventId),
        sendTest: ({ input }) => deliveries.sendTest(input.id),
        setOn: ({ input }) => deliveries.setOn(input.id, input.isOn),
      },
      monitorBulk: {
        start: async ({ input }) => ({ run: await bulkRuns.start(input.title, input.tasks, input.part) }),
        state: () => ({ run: bulkRuns.state() }),
        stop: () => ({ run: bulkRuns.stop() }),
        retry: async () => ({ run: await bulkRuns.retry() }),
        undo: async () => ({ run: await bulkRuns.undo() }),
        close: bulkRuns.close,
      },
    },
    notices: () => [{ topic: 'monitors' }],
  };
}
