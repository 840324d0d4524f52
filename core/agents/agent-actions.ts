// Describes the changes that agents propose, for the user's consent, and makes them.
import { isDeepStrictEqual } from 'node:util';
import { formatRain, type LatLng, rainAt } from '@rainbell/contract/service-api';
import { plural } from '@rainbell/shared';
import type { AgentAction, AppMonitor, ConsentRequest } from '@rainbell/contract/app-rpc';
import type { Parts } from '../app/feature.ts';
import type { Connection } from '../connection/connection.ts';
import { AppFailure } from '../errors/app-failure.ts';

/** What the user is shown, and the connection and place that it is about. */
type Description = Pick<ConsentRequest, 'title' | 'facts'> & { connection: Connection | undefined; center?: LatLng };

const signingLabels = { 'same-id': 'new, with the same ID', 'new-id': 'new, with a new ID' } as const;

export function createAgentActions({ callbacks, sends, monitors, sandbox, activeConnection }: Parts) {
  const connectionName = () => activeConnection.state().name;

  async function monitorOf(id: string): Promise<AppMonitor> {
    const found = (await monitors.list()).monitors.find((monitor) => monitor.id === id);
    if (found) return found;
    throw new AppFailure(
      'NOT_FOUND',
      `${connectionName()} has no monitor ${id}. Use list_monitors to see its monitors.`,
    );
  }

  function factsOf({ id, geo, callbackUri, name }: AppMonitor): [string, string][] {
    return [
      ['Connection', connectionName()],
      ['Monitor', name === '' ? id : `${id} (${name})`],
      ['Location', `${geo.lat}, ${geo.lng}`],
      ['Callback URL', callbackUri ?? 'unknown'],
    ];
  }

  /** Throws AppFailure NOT_FOUND if the target doesn't exist, so that the user doesn't confirm a change that must fail. */
  async function describe(action: AgentAction): Promise<Description> {
    const connection = action.kind === 'resend' ? activeConnection.present() : await activeConnection.current();
    const described = await describeNow(action);
    if (activeConnection.present() !== connection) throw changed();
    return { ...described, connection };
  }

  async function describeNow(action: AgentAction): Promise<Omit<Description, 'connection'>> {
    switch (action.kind) {
      case 'resend': {
        const { id, method, target, sizeBytes, receivedAt } = callbacks.get(action.callbackId);
        const facts: [string, string][] = [
          ['Callback', `${id}, received ${receivedAt}`],
          ['Request', `${method} ${target}, ${plural(sizeBytes, ['# byte', '# bytes'])}`],
          ['Send to', action.url ?? 'this app’s receiver'],
          ...(action.signing === 'as-received'
            ? []
            : [['Signature', signingLabels[action.signing]] as [string, string]]),
        ];
        return { title: 'Replay a callback', facts };
      }
      case 'rain': {
        const monitor = await monitorOf(action.monitorId);
        const facts: [string, string][] = [
          ...factsOf(monitor),
          ['Rain', `${formatRain(action.rain)} by the sandbox’s clock, within 30 km`],
        ];
        return { title: 'Make it rain in the sandbox', facts, center: monitor.geo };
      }
      case 'create-monitor':
        return {
          title: 'Create a monitor',
          facts: [
            ['Connection', connectionName()],
            ['Location', `${action.lat}, ${action.lng}`],
            ['Callback URL', action.callbackUri ?? 'this app’s receiver'],
          ],
        };
      case 'update-monitor': {
        const { location, callbackUri } = action;
        const facts = factsOf(await monitorOf(action.monitorId));
        return {
          title: 'Change a monitor',
          facts: [
            ...facts,
            ...(location ? [['New location', `${location.lat}, ${location.lng}`] as [string, string]] : []),
            ...(callbackUri === undefined ? [] : [['New callback URL', callbackUri] as [string, string]]),
          ],
        };
      }
      case 'delete-monitor':
        return { title: 'Delete a monitor', facts: factsOf(await monitorOf(action.monitorId)) };
    }
  }

  return {
    describe,
    /** Throws AppFailure REFUSED if anything that the user was shown has changed since. */
    async carryOut(action: AgentAction, allowed: Description): Promise<Record<string, unknown>> {
      if (activeConnection.present() !== allowed.connection) throw changed();
      const now = await describe(action);
      // Each action below takes the active connection before it waits for anything.
      if (now.connection !== allowed.connection || !isDeepStrictEqual(now.facts, allowed.facts)) throw changed();
      switch (action.kind) {
        case 'resend': {
          const { callbackId: id, signing } = action;
          const { url, outcome, tookMs } = await sends.replay({ id, url: action.url, signing });
          const result = outcome.kind === 'answered' ? { status: outcome.status } : { problem: outcome.message };
          return { sentTo: url, tookMs, ...result };
        }
        case 'rain': {
          const { scenarios } = await sandbox.addScenario(rainAt(now.center as LatLng, action.rain));
          return { monitorId: action.monitorId, endsAt: scenarios.at(-1)?.endsAt ?? null };
        }
        case 'create-monitor': {
          const { lat, lng, callbackUri } = action;
          const callback =
            callbackUri === null ? ({ kind: 'this-app' } as const) : ({ kind: 'address', uri: callbackUri } as const);
          return { monitor: shown(await monitors.create({ geo: { lat, lng }, callback })) };
        }
        case 'update-monitor': {
          const { monitorId, location, callbackUri } = action;
          const changed = await monitors.update(monitorId, {
            ...(location && { geo: location }),
            ...(callbackUri === undefined ? {} : { callback: { kind: 'address', uri: callbackUri } }),
          });
          return { monitor: shown(changed) };
        }
        case 'delete-monitor':
          await monitors.delete(action.monitorId);
          return { deleted: action.monitorId };
      }
    },
  };
}

function changed(): AppFailure {
  return new AppFailure(
    'REFUSED',
    'The connection or its data changed after the user saw the request, so nothing was done. Check it, then call the tool again.',
  );
}

/** A monitor as agents see it. */
export function shown({ id, geo, callbackUri, name, tags }: AppMonitor): Record<string, unknown> {
  return { id, lat: geo.lat, lng: geo.lng, callbackUri, name, tags };
}
