// The timeline of each sign-in, refresh and revocation: every redirect, request and answer, masked before it is kept. In
// memory, the last fifty.
import { randomBytes } from 'node:crypto';
import { type Clock, formatInstant, maskText, parseJsonObject } from '@rainbell/shared';
import type { Deviation, Flow, FlowStep, HeaderList } from '@rainbell/contract/app-rpc';
import type { ConnectionProfile } from '../connection/connection.ts';
import type { HttpResponse } from '../http/http-sender.ts';
import { hostOf } from '../http/http-headers.ts';
import { tokenMembers } from '../tokens/token-response.ts';
import { maskerFor, plainMasker } from '../traffic/mask.ts';

export type FlowRecorder = ReturnType<ReturnType<typeof createFlowLog>['start']>;

const maxFlows = 50;

export function createFlowLog({ clock, onChanged }: { clock: Clock; onChanged: () => void }) {
  let flows: Flow[] = [];

  function start(profile: Pick<ConnectionProfile, 'id' | 'name'>, way: Flow['way']) {
    const flow: Flow = {
      id: randomBytes(8).toString('hex'),
      connectionId: profile.id,
      connectionName: profile.name,
      way,
      startedAt: formatInstant(clock.now()),
      endedAt: null,
      outcome: null,
      message: null,
      steps: [],
    };
    flows = [flow, ...flows].slice(0, maxFlows);
    const step = (given: Step) => {
      flow.steps.push({ ...emptyStep(), at: formatInstant(clock.now()), ...given });
      onChanged();
    };
    return {
      id: flow.id,
      /** An address on the way of the browser; its secrets are masked here. */
      address: (kind: 'dialog' | 'redirect', title: string, url: string, deviations: readonly Deviation[] = []) =>
        step(addressStep(kind, title, url, deviations)),
      /** A token request and its response. */
      recordResponse(response: HttpResponse) {
        for (const part of responseSteps(response, clock.now())) step(part);
      },
      deviations(deviations: readonly Deviation[]) {
        const last = flow.steps.at(-1);
        if (last) last.deviations = [...last.deviations, ...deviations];
      },
      end(outcome: string, message: string) {
        flow.outcome = outcome;
        flow.message = message;
        flow.endedAt = formatInstant(clock.now());
        step({ kind: 'end', title: message });
      },
    };
  }

  return { start /** Newest first. */, list: (): Flow[] => structuredClone(flows) };
}

const emptyStep = () => ({
  method: null,
  url: null,
  status: null,
  tookMs: null,
  trafficId: null,
  fields: [],
  deviations: [],
});

type Step = Partial<FlowStep> & Pick<FlowStep, 'kind' | 'title'>;

function addressStep(kind: 'dialog' | 'redirect', title: string, url: string, deviations: readonly Deviation[]): Step {
  const [place = '', fragment = ''] = url.split('#', 2);
  const [path = '', query = ''] = place.split('?', 2);
  const fields = [...new URLSearchParams(query), ...new URLSearchParams(fragment)];
  // State is compared by its beginning; whole it could be used for an answer to this attempt.
  const shown = fields.map(([name, value]): [string, string] => [name, shownParameter(name, value)]);
  return { kind, title, method: 'GET', url: path, fields: shown, deviations: [...deviations] };
}

function shownParameter(name: string, value: string): string {
  if (name === 'state') return `${value.slice(0, 4)}${maskText}`;
  const masked = plainMasker.url(`?${name}=${value}`);
  return masked.endsWith(maskText) ? maskText : value;
}

function responseSteps(response: HttpResponse, now: number): Step[] {
  const { request } = response;
  const masker = maskerFor({ ...request, kind: 'token' });
  const host = hostOf(request.url);
  const deviations: Deviation[] = [];
  const members = tokenMembers(response, deviations);
  const bodyText = masker.tokenBody(response.body.toString('utf8')).slice(0, 2000);
  return [
    {
      kind: 'request',
      at: formatInstant(now - response.tookMs),
      title: `Requested a token from ${host}`,
      method: request.method,
      url: masker.url(request.url),
      fields: [...masker.headers(request.headers), ...fieldsOf(masker.tokenBody(request.body ?? ''))],
    },
    {
      kind: 'answer',
      title: `${host} responded with ${response.status}`,
      status: response.status,
      tookMs: response.tookMs,
      trafficId: response.trafficId ?? null,
      fields: members ? membersOf(bodyText) : [['body', bodyText]],
    },
  ];
}

function fieldsOf(maskedForm: string): HeaderList {
  return [...new URLSearchParams(maskedForm)];
}

function membersOf(masked: string): HeaderList {
  if (!masked.startsWith('{')) return fieldsOf(masked);
  const members = Object.entries(parseJsonObject(masked) ?? { body: masked });
  return members.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
}
