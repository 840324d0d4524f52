// The log of one monitor, resend, test, and turn on: loaded after the first screen.
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { runCancelableRequest, toFailure } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { failedToast, type NewToast } from '#renderer/store/toasts-slice.ts';
import type { DeliveriesPart, DeliveryActions } from './deliveries-slice.ts';

const attemptTakesMs = 1000;

export function createDeliveryActions(
  tools: SliceTools<DeliveriesPart>,
  show: (toast: NewToast) => void,
): DeliveryActions {
  const { client, read, change } = tools;
  const act = async (key: string, done: string, failed: string, call: () => Promise<unknown>) => {
    change({ asking: new Set([...read().asking, key]) });
    try {
      await call();
      show({ tone: 'good', message: done });
    } catch (error) {
      show(failedToast(toFailure(error), failed));
    }
    change({ asking: new Set([...read().asking].filter((other) => other !== key)) });
    await read().loadFacts();
    // The attempt is in the log only once the callback has answered it.
    setTimeout(() => void Promise.all([read().loadFacts(), read().loadDeliveries()]), attemptTakesMs);
  };
  return {
    loadDeliveries: oneAtATime(() => readDeliveries(tools)),
    loadExplanation: () => readExplanation(tools),
    resend: (id, eventId) =>
      act(eventId, 'The event is sent again under its own id.', 'The event was not sent again', () =>
        client.monitors.resend({ id, eventId }),
      ),
    sendTest: (id) =>
      act(id, `A test event is on its way to the callback of ${id}.`, 'The test event was not sent', () =>
        client.monitors.sendTest({ id }),
      ),
    turnOn: (id) =>
      act(id, `${id} is on again: its next event calls the callback.`, `${id} was not turned on`, () =>
        client.monitors.turnOn({ id }),
      ),
  };
}

async function readDeliveries({ client, read, change }: SliceTools<DeliveriesPart>): Promise<void> {
  const { selectedId: id, facts } = read();
  if (id === null || facts === null) return;
  const isCurrent = () => read().selectedId === id;
  const answer = await runCancelableRequest(
    (deliveriesRequest) => {
      if (isCurrent()) change({ deliveriesRequest });
    },
    (signal) => client.monitors.deliveries({ id }, { signal }),
  );
  if (answer && isCurrent()) change({ deliveries: answer.deliveries });
}

async function readExplanation({ client, read, change }: SliceTools<DeliveriesPart>): Promise<void> {
  const { selectedId: id } = read();
  if (id === null) return;
  try {
    const { explanation } = await client.monitors.explain({ id });
    if (read().selectedId === id) change({ explanation });
  } catch {
    // The list, which asks the same service, says what is wrong.
  }
}
