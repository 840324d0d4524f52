// What parts of the core report to each other; what only screens need is published as a notice instead. Listeners run at once, in the
// order of their subscription.
import type { DeliveryStates } from '@rainbell/contract/app-rpc';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import type { UserNotice } from './host.ts';

export type CoreEvents = {
  settingsChanged: [];
  /** Another connection is active, or the state of the active one or of its token changed. */
  connectionChanged: [];
  /** The list of saved connections, or the sandbox's service. */
  connectionsChanged: [];
  /** Where the receiver listens, or whether it fails. */
  receiverChanged: [];
  receiverRulesChanged: [];
  /** Requests are held that were not, or the other way. */
  heldChanged: [];
  /** There may be new callbacks, up to this ID. */
  callbacksArrived: [newestId: number];
  /** A monitor's callback that arrived was judged for the first time. */
  callbackJudged: [callback: StoredCallback];
  /** Stored callbacks may look different now. */
  callbacksChanged: [];
  webhookKeysChanged: [];
  /** Monitors, or the status of their deliveries. */
  monitorsChanged: [];
  /** A callback may be of a monitor that was created or changed after the monitors were fetched. */
  monitorsOutdated: [];
  /** The service reported how the deliveries of all monitors are. */
  deliveryStatesRead: [states: DeliveryStates];
  /** More is known of what the service sent: for one monitor, or whether it has a log. */
  deliveryLogRead: [monitorId: string | undefined];
  /** The sandbox's scenarios, clock, provider, or faults. */
  sandboxChanged: [];
  /** app.sqlite was found damaged while in use. */
  damageFound: [];
  updateCheckWanted: [];
  /** Something that the user should know although no window may be open. */
  userNotice: [notice: UserNotice];
};
