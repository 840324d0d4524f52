// Every procedure of the contract, one per line: oRPC validates the input by zod, the subjects do the work, and
// rpc-errors.ts maps what they throw.
import { implement, type Router } from '@orpc/server';
import { appContract, type AppStatus } from '@rainbell/contract/app-rpc';
import type { Agents } from '../agents/create-agents.ts';
import type { Backups } from '../backup/backups.ts';
import { folderParts } from '../backup/folder-parts.ts';
import type { StoredData } from '../backup/stored-data.ts';
import type { CallbackService } from '../callbacks/callback-service.ts';
import type { ReadMarks } from '../callbacks/read-marks.ts';
import type { PublicBase } from '../callbacks/public-base.ts';
import type { WebhookSecrets } from '../callbacks/webhook-secrets.ts';
import type { ConnectionTransfer } from '../connection/connection-transfer.ts';
import type { Connections } from '../connection/connections.ts';
import type { StorageState } from '../database/storage-state.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { AppEndpointCheck } from '../endpoint-check/app-endpoint-check.ts';
import { AppFailure } from '../errors/app-failure.ts';
import { formatReport } from '../endpoint-check/check-report.ts';
import type { Forecasts } from '../forecast/forecasts.ts';
import type { BulkRuns } from '../monitors/bulk-runs.ts';
import type { CallThisApp } from '../monitors/call-this-app.ts';
import type { Deliveries } from '../monitors/deliveries.ts';
import type { FrontTracker } from '../monitors/front-tracker.ts';
import type { MonitorDocuments } from '../monitors/monitor-documents.ts';
import type { Monitors } from '../monitors/monitors.ts';
import type { NotificationQueue } from '../notifications/notification-queue.ts';
import type { UserNotice } from '../ports/host.ts';
import type { PlaceSearch } from '../places/place-search.ts';
import type { ReceiverAccessStore } from '../receiver/access/receiver-access.ts';
import type { ReceiverRulesStore } from '../receiver/rules/receiver-rules.ts';
import type { Receiver } from '../receiver/server/receiver.ts';
import type { SandboxControl } from '../sandbox/sandbox-control.ts';
import type { Session } from '../session/session.ts';
import type { AppSettings } from '../settings/app-settings.ts';
import type { Replay } from '../traffic/replay.ts';
import type { TrafficLog } from '../traffic/traffic-log.ts';
import type { UpdateCheck } from '../updates/update-check.ts';
import type { Commands } from './commands.ts';
import type { ScreenNotices } from './screen-notices.ts';

/** What the procedures work on. */
export type Subjects = {
  status: () => AppStatus;
  notices: ScreenNotices;
  commands: Commands;
  agents: Agents;
  backups: Backups;
  dataFolder: string;
  storedData: StoredData;
  callbacks: CallbackService;
  bulkRuns: BulkRuns;
  callThisApp: CallThisApp;
  connections: Connections;
  connectionTransfer: ConnectionTransfer;
  deliveries: Deliveries;
  diagnostics: Diagnostics;
  endpointCheck: AppEndpointCheck;
  forecasts: Forecasts;
  fronts: FrontTracker;
  monitors: Monitors;
  monitorDocuments: MonitorDocuments;
  notifications: NotificationQueue;
  notifyUser: (notice: UserNotice) => void;
  places: PlaceSearch;
  publicBase: PublicBase;
  readMarks: ReadMarks;
  receiver: Receiver;
  receiverAccess: ReceiverAccessStore;
  replay: Replay;
  rules: ReceiverRulesStore;
  sandbox: SandboxControl;
  session: Session;
  settings: AppSettings;
  storage: StorageState;
  traffic: TrafficLog;
  updates: UpdateCheck;
  webhookSecrets: WebhookSecrets;
  /** Undefined if the host cannot start the app again. */
  restart: (() => void) | undefined;
};

/** What belongs to one connection of a screen. */
export type ScreenContext = {
  whenWritable: () => Promise<void>;
};

/** Named, because its inferred type is too long for the compiler to write down. */
export type AppRouter = Router<typeof appContract, ScreenContext>;

export function createRouter(subjects: Subjects): AppRouter {
  const { callbacks, commands, connections, connectionTransfer, deliveries, forecasts } = subjects;
  const { monitors, places, readMarks, receiver, receiverAccess, sandbox, session, settings, traffic, webhookSecrets } =
    subjects;
  const at = implement(appContract).$context<ScreenContext>();
  return at.router({
    agents: {
      consents: at.agents.consents.handler(() => ({ consents: subjects.agents.consents() })),
      decide: at.agents.decide.handler(({ input }) => {
        subjects.agents.decide(input.id, input.isAllowed);
        return {};
      }),
    },
    app: {
      status: at.app.status.handler(() => subjects.status()),
      notices: at.app.notices.handler(({ signal, context }) =>
        subjects.notices.listen(signal ?? new AbortController().signal, context.whenWritable),
      ),
      acknowledgeDamage: at.app.acknowledgeDamage.handler(({ input }) => done(subjects.storage.acknowledge(input.id))),
      restart: at.app.restart.handler(() => {
        if (!subjects.restart) {
          throw new AppFailure(
            'UNAVAILABLE',
            'Only the desktop app can restart itself. Stop Rainbell in its terminal and start it again.',
          );
        }
        subjects.restart();
        return {};
      }),
      moveReceiver: at.app.moveReceiver.handler(({ input }) => done(commands.moveReceiver(input.port))),
      receiverAccess: at.app.receiverAccess.handler(() => receiverAccess.describe(receiver.port())),
      changeReceiverAccess: at.app.changeReceiverAccess.handler(({ input }) => commands.changeReceiverAccess(input)),
      changePublicBase: at.app.changePublicBase.handler(({ input, signal }) =>
        done(subjects.publicBase.change(input.base, signal)),
      ),
    },
    callbacks: {
      list: at.callbacks.list.handler(({ input }) => callbacks.list({ beforeId: input.beforeId, limit: input.limit })),
      unread: at.callbacks.unread.handler(() => readMarks.unread()),
      markRead: at.callbacks.markRead.handler(({ input }) => {
        readMarks.mark(input.ids);
        return readMarks.unread();
      }),
      markAllRead: at.callbacks.markAllRead.handler(() => {
        readMarks.markAll();
        return readMarks.unread();
      }),
      search: at.callbacks.search.handler(({ input }) => callbacks.search(input)),
      count: at.callbacks.count.handler(async ({ input }) => ({
        count: await callbacks.count(input, input.throughId),
      })),
      sorted: at.callbacks.sorted.handler(({ input }) => callbacks.sorted(input)),
      histogram: at.callbacks.histogram.handler(({ input }) => callbacks.histogram(input)),
      get: at.callbacks.get.handler(({ input }) => callbacks.get(input.id)),
      clear: at.callbacks.clear.handler(() => done(receiver.clear())),
      delete: at.callbacks.delete.handler(({ input }) => callbacks.deletions.delete(input.choice)),
      undoDelete: at.callbacks.undoDelete.handler(({ input }) => callbacks.deletions.undo(input.deletionId)),
      setNote: at.callbacks.setNote.handler(({ input }) => done(callbacks.setNote(input.id, input.note))),
      replay: at.callbacks.replay.handler(({ input, signal }) => callbacks.replay(input.id, input.url, signal)),
      editAndResend: at.callbacks.editAndResend.handler(({ input, signal }) => callbacks.editAndResend(input, signal)),
      forwardTargets: at.callbacks.forwardTargets.handler(() => ({ targets: callbacks.forwarder.states() })),
      replaceForwardTargets: at.callbacks.replaceForwardTargets.handler(({ input }) => {
        callbacks.replaceForwardTargets(input.targets);
        return { targets: callbacks.forwarder.states() };
      }),
      endpoints: at.callbacks.endpoints.handler(() => callbacks.endpoints()),
      replaceEndpoints: at.callbacks.replaceEndpoints.handler(({ input }) =>
        done(callbacks.replaceEndpoints(input.endpoints)),
      ),
      filters: at.callbacks.filters.handler(() => ({ filters: [...callbacks.filters.get()] })),
      replaceFilters: at.callbacks.replaceFilters.handler(({ input }) =>
        done(callbacks.filters.replace(input.filters)),
      ),
      exportPage: at.callbacks.exportPage.handler(({ input }) => callbacks.exportPage(input)),
      proof: at.callbacks.proof.handler(({ input }) => callbacks.proof(input.id, input.includesNote)),
      importPiece: at.callbacks.importPiece.handler(({ input }) => callbacks.importPiece(input)),
      hours: at.callbacks.hours.handler(({ input }) => callbacks.times.hours(input)),
      delivery: at.callbacks.delivery.handler(({ input }) => callbacks.delivery(input.id)),
      diagnoseSignature: at.callbacks.diagnoseSignature.handler(({ input }) => callbacks.diagnoseSignature(input.id)),
      webhookSecret: at.callbacks.webhookSecret.handler(async () => ({ source: await webhookSecrets.source() })),
      setWebhookSecret: at.callbacks.setWebhookSecret.handler(({ input }) => done(webhookSecrets.set(input.secret))),
    },
    connections: {
      list: at.connections.list.handler(() => connections.list()),
      create: at.connections.create.handler(({ input: { clientSecret, ...fields } }) =>
        connections.create(fields, clientSecret),
      ),
      update: at.connections.update.handler(({ input }) =>
        connections.update(input.id, input.changes, input.clientSecret),
      ),
      delete: at.connections.delete.handler(({ input }) => done(commands.deleteConnection(input.id))),
      select: at.connections.select.handler(({ input }) => commands.selectConnection(input.id)),
      test: at.connections.test.handler(({ input, signal }) => commands.testConnection(input.id, signal)),
      export: at.connections.export.handler(() => connectionTransfer.export()),
      import: at.connections.import.handler(({ input }) => connectionTransfer.import(input.text)),
    },
    data: {
      describe: at.data.describe.handler(async () => ({
        folder: subjects.dataFolder,
        parts: await folderParts(subjects.dataFolder),
        stored: subjects.storedData.count(),
        backups: subjects.backups.list(),
        pendingRestore: subjects.backups.pendingRestore(),
      })),
      backUp: at.data.backUp.handler(({ signal }) => subjects.backups.create(signal)),
      restore: at.data.restore.handler(({ input, signal }) => done(subjects.backups.restore(input.name, signal))),
      cancelRestore: at.data.cancelRestore.handler(() => done(subjects.backups.cancelRestore())),
      deleteBackup: at.data.deleteBackup.handler(({ input }) => done(subjects.backups.delete(input.name))),
      clear: at.data.clear.handler(({ input, signal }) => done(subjects.storedData.clear(input.kinds, signal))),
    },
    diagnostics: {
      preview: at.diagnostics.preview.handler(() => subjects.diagnostics.preview()),
      export: at.diagnostics.export.handler(() => subjects.diagnostics.export()),
    },
    endpointCheck: {
      prepare: at.endpointCheck.prepare.handler(({ input }) => subjects.endpointCheck.prepare(input.url)),
      runCase: at.endpointCheck.runCase.handler(({ input }) => subjects.endpointCheck.runCase(input)),
      report: at.endpointCheck.report.handler(({ input }) => formatReport(input.report, input.format)),
    },
    forecast: {
      get: at.forecast.get.handler(({ input: { connectionId, ...place }, signal }) =>
        forecasts.fetch(place, connectionId, signal),
      ),
      history: at.forecast.history.handler(({ input }) => ({ fetches: forecasts.history.of(input) })),
      series: at.forecast.series.handler(({ input }) => ({ fetches: forecasts.history.seriesOf(input) })),
      minutes: at.forecast.minutes.handler(({ input, signal }) => forecasts.minutes(input, signal)),
      compared: at.forecast.compared.handler(({ input }) => ({ fetches: forecasts.history.compared(input.ids) })),
      icon: at.forecast.icon.handler(({ input }) => forecasts.icon(input.url)),
    },
    monitorBulk: {
      start: at.monitorBulk.start.handler(async ({ input }) => ({
        run: await subjects.bulkRuns.start(input.title, input.tasks, input.part),
      })),
      state: at.monitorBulk.state.handler(() => ({ run: subjects.bulkRuns.state() })),
      stop: at.monitorBulk.stop.handler(() => ({ run: subjects.bulkRuns.stop() })),
      retry: at.monitorBulk.retry.handler(async () => ({ run: await subjects.bulkRuns.retry() })),
      undo: at.monitorBulk.undo.handler(async () => ({ run: await subjects.bulkRuns.undo() })),
      close: at.monitorBulk.close.handler(() => {
        subjects.bulkRuns.close();
        return {};
      }),
    },
    monitorFronts: {
      list: at.monitorFronts.list.handler(() => subjects.fronts.list()),
      acknowledge: at.monitorFronts.acknowledge.handler(({ input }) =>
        done(subjects.fronts.acknowledge(input.id, input.note)),
      ),
      replaceSilences: at.monitorFronts.replaceSilences.handler(({ input }) =>
        done(subjects.monitorDocuments.silences.replace(input.silences)),
      ),
    },
    monitors: {
      list: at.monitors.list.handler(({ signal }) => monitors.list(signal)),
      create: at.monitors.create.handler(({ input, signal }) => monitors.create(input, { signal })),
      update: at.monitors.update.handler(({ input, signal }) =>
        monitors.update(input.id, defined(input.changes), { base: input.base, readBack: input.readBack, signal }),
      ),
      replace: at.monitors.replace.handler(({ input, signal }) =>
        monitors.replace(input.id, input, { base: input.base, signal }),
      ),
      delete: at.monitors.delete.handler(({ input }) => done(monitors.delete(input.id))),
      deleteLater: at.monitors.deleteLater.handler(({ input }) => monitors.deleteLater(input.ids)),
      undoDelete: at.monitors.undoDelete.handler(({ input }) => monitors.undoDelete(input.ids)),
      callThisApp: at.monitors.callThisApp.handler(({ input }) => subjects.callThisApp(input.id)),
      setNotes: at.monitors.setNotes.handler(({ input }) => done(monitors.setNotes(input.id, input.notes))),
      views: at.monitors.views.handler(() => ({ views: [...subjects.monitorDocuments.views.get()] })),
      replaceViews: at.monitors.replaceViews.handler(({ input }) =>
        done(subjects.monitorDocuments.views.replace(input.views)),
      ),
      history: at.monitors.history.handler(async ({ input }) => ({ entries: await monitors.history(input.id) })),
      deliveryStates: at.monitors.deliveryStates.handler(() => deliveries.states()),
      deliveries: at.monitors.deliveries.handler(({ input, signal }) => deliveries.logOf(input.id, { signal })),
      explain: at.monitors.explain.handler(async ({ input, signal }) => ({
        explanation:
          (await deliveries.explain(input.id, { ...(signal ? { signal } : {}), isBackground: true })) ?? null,
      })),
      backtest: at.monitors.backtest.handler(({ input, signal }) => deliveries.backtest(input, signal)),
      resend: at.monitors.resend.handler(({ input }) => done(deliveries.resend(input.id, input.eventId))),
      sendTest: at.monitors.sendTest.handler(({ input }) => deliveries.sendTest(input.id)),
      turnOn: at.monitors.turnOn.handler(({ input }) => done(deliveries.turnOn(input.id))),
    },
    notifications: {
      take: at.notifications.take.handler(() => ({ notifications: subjects.notifications.take() })),
      sendTest: at.notifications.sendTest.handler(() => {
        subjects.notifyUser({ title: 'Test notification', body: 'Rainbell can show notifications.', target: null });
        return {};
      }),
    },
    places: {
      search: at.places.search.handler(({ input }) => places.search(input.text, input.limit)),
      nearest: at.places.nearest.handler(({ input }) => places.nearest(input.locations)),
    },
    rules: {
      held: at.rules.held.handler(() => ({ held: [...receiver.held()] })),
      respondToHeld: at.rules.respondToHeld.handler(({ input: { callbackId, ...response } }) =>
        done(receiver.respondToHeld(callbackId, response)),
      ),
      get: at.rules.get.handler(() => subjects.rules.get()),
      replace: at.rules.replace.handler(({ input }) => commands.replaceRules(input)),
    },
    sandbox: {
      state: at.sandbox.state.handler(() => sandbox.state()),
      account: at.sandbox.account.handler(() => connections.sandboxAccount()),
      addScenario: at.sandbox.addScenario.handler(({ input }) => sandbox.addScenario(input)),
      endScenario: at.sandbox.endScenario.handler(({ input }) => sandbox.endScenario(input.id)),
      clearScenarios: at.sandbox.clearScenarios.handler(() => sandbox.clearScenarios()),
      moveClock: at.sandbox.moveClock.handler(({ input }) => sandbox.moveClock(input)),
      chooseProvider: at.sandbox.chooseProvider.handler(({ input }) => sandbox.chooseProvider(input.choice)),
      startWeatherFault: at.sandbox.startWeatherFault.handler(({ input }) => sandbox.startWeatherFault(input)),
      stopWeatherFault: at.sandbox.stopWeatherFault.handler(() => sandbox.stopWeatherFault()),
    },
    session: {
      state: at.session.state.handler(() => session.state()),
      signIn: at.session.signIn.handler(({ input }) => session.signIn(input)),
      cancelSignIn: at.session.cancelSignIn.handler(() => session.cancelSignIn()),
      refresh: at.session.refresh.handler(({ input }) => session.refresh(input.owner)),
      saveBrowserSession: at.session.saveBrowserSession.handler(({ input }) =>
        session.saveBrowserSession(input.isSaved),
      ),
      clearBrowserSession: at.session.clearBrowserSession.handler(() => session.clearBrowserSession()),
      deleteToken: at.session.deleteToken.handler(({ input }) => session.deleteToken(input.owner)),
      revoke: at.session.revoke.handler(({ input }) => session.revoke(input.owner, input.endpoint)),
      reveal: at.session.reveal.handler(({ input }) => session.reveal(input.owner, input.what)),
      flows: at.session.flows.handler(() => session.flows()),
    },
    settings: {
      get: at.settings.get.handler(() => settings.get()),
      update: at.settings.update.handler(({ input }) => commands.updateSettings(defined(input))),
    },
    traffic: {
      list: at.traffic.list.handler(({ input }) => traffic.list(input)),
      get: at.traffic.get.handler(({ input }) => traffic.get(input.id)),
      clear: at.traffic.clear.handler(() => done(traffic.clear())),
      replay: at.traffic.replay.handler(({ input }) => subjects.replay(input.id)),
    },
    updates: {
      check: at.updates.check.handler(() => subjects.updates.check()),
    },
  });
}

async function done(work: Promise<void> | void): Promise<Record<string, never>> {
  await work;
  return {};
}

/** zod's partial objects may contain `undefined`; in our types a missing field is absent. */
function defined<Fields extends Record<string, unknown>>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
