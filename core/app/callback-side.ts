// All that happens with callbacks once they are stored, wired together: judging, the desk, forwarding, notifications, and what
// screens are told of it.
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#shared/time/clock.ts';
import type { Notice } from '#contract/app-rpc/app.ts';
import type { ActiveConnection } from '#core/connection/active-connection.ts';
import type { Host } from '#core/ports/host.ts';
import type { Log } from '#core/ports/log.ts';
import type { Deliveries } from '#core/monitors/deliveries.ts';
import type { Monitors } from '#core/monitors/monitors.ts';
import type { NoticeHub } from '#core/ports/notices.ts';
import type { CallbackPages } from '#core/receiver/callback-pages.ts';
import type { ReceiverAccessStore } from '#core/receiver/receiver-access.ts';
import type { Receiver } from '#core/receiver/receiver.ts';
import type { AppSettings } from '#core/settings/app-settings.ts';
import { createCallbackService, type CallbackService } from '#core/callbacks/callback-service.ts';
import type { CallbackDocuments } from '#core/callbacks/callback-documents.ts';
import { createCallbackValidator } from '#core/callbacks/callback-validator.ts';
import { createCallbackNotifier } from '#core/callbacks/callback-notifier.ts';
import { createChosenCallback } from '#core/callbacks/chosen-callback.ts';
import { createSendGuard } from '#core/callbacks/send-guard.ts';
import { createPublicBase, type PublicBase } from '#core/callbacks/public-base.ts';
import { createRequestSender } from '#core/callbacks/send-request.ts';
import { createWeatherLookup } from '#core/callbacks/weather-lookup.ts';
import { createWebhookSecrets, type WebhookSecrets } from '#core/callbacks/webhook-secrets.ts';

export type CallbackSide = {
  desk: CallbackService;
  publicBase: PublicBase;
  signing: WebhookSecrets;
  /** There may be new callbacks, up to this id. */
  arrived: (newestId: number) => void;
  /** Monitors changed, so what was judged may be judged otherwise. */
  forgetResults: () => void;
  /** For a screen that has just opened. */
  presentNotices: () => Notice[];
  /** Before the receiver's end, whose thread removes what was deleted. */
  close: () => Promise<void>;
};

type Parts = {
  db: DatabaseSync;
  pages: CallbackPages;
  documents: CallbackDocuments;
  receiver: Receiver;
  receiverAccess: ReceiverAccessStore;
  host: Host;
  settings: AppSettings;
  connection: ActiveConnection;
  /** Whether the store was found damaged since the start. */
  isDamaged: () => boolean;
  /** Of the service that came with the app, whichever connection is in use. */
  serviceAddress: () => string | null;
  monitors: Pick<Monitors, 'knownIds'>;
  deliveries: Deliveries;
  notices: Pick<NoticeHub, 'publish'>;
  version: string;
  dragFolder: string;
  clock: Clock;
  log: Log;
};

export function createCallbackSide(parts: Parts): CallbackSide {
  const { pages, receiverAccess, host, settings, connection, monitors, notices, isDamaged, clock, log } = parts;
  let changes = 0;
  const changeNotices = (): Notice[] => [
    { topic: 'callbacks', ...pages.counts() },
    { topic: 'callback-changes', version: changes },
  ];
  /** What screens have of callbacks may be otherwise now. */
  const onChanged = () => {
    validator.forget();
    changes += 1;
    for (const notice of changeNotices()) notices.publish(notice);
  };
  const signing = createWebhookSecrets({ activeConnection: connection, secrets: host.secrets, clock, log, onChanged });
  const validator = createCallbackValidator({
    pages,
    monitorIds: monitors.knownIds,
    signing: signing.facts,
    isDamaged,
  });
  const guard = createSendGuard({ adminPorts: () => adminPorts(host, parts.serviceAddress()) });
  const sender = createRequestSender({ clock, guard, authority: receiverAccess.authorityPem });
  const desk = createCallbackService({ ...parts, validator, sender, onChanged });
  const chosen = createChosenCallback(notices, clock);
  const notifier = createCallbackNotifier({
    choice: () => settings.get().notifications,
    pages,
    validator,
    weatherAt: createWeatherLookup(connection, clock),
    notify: host.notify,
    onChosen: chosen.choose,
    clock,
  });
  return {
    desk,
    publicBase: createPublicBase({ ...parts, sender, onChanged }),
    signing,
    arrived(newestId) {
      notices.publish({ topic: 'callbacks', ...pages.counts() });
      desk.forwarder.arrived(newestId);
      notifier.arrived(newestId);
    },
    forgetResults: validator.forget,
    presentNotices: () => [...changeNotices(), ...chosen.present()],
    async close() {
      notifier.close();
      await desk.close();
    },
  };
}

/** Where Rainbell takes orders on this machine: the screens' server, and the service that came with the app. */
function adminPorts(host: Host, serviceAddress: string | null): number[] {
  const service = serviceAddress === null ? [] : [Number(new URL(serviceAddress).port)];
  return [...(host.adminPorts?.() ?? []), ...service];
}
