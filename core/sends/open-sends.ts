// What the app sends from stored callbacks: replays, edited requests, forwards.
import {
  type CallbackChoice,
  type CallbackSend,
  type ForwardTarget,
  type HeaderList,
  maxReplays,
  type ReplaySigning,
  responseLimitBytes,
  type SendRequest,
} from '@rainbell/contract/app-rpc';
import type { Base } from '../app/base.ts';
import type { openCallbacks } from '../callbacks/open-callbacks.ts';
import type { openConnections } from '../connection/open-connections.ts';
import { AppFailure } from '../errors/app-failure.ts';
import { createSendGuard } from '../http/send-guard.ts';
import { createRequestSender } from '../http/send-request.ts';
import { plainTransport } from '../http/transport.ts';
import { forwardSecretsId } from '../receiver/access/endpoint-secrets.ts';
import { changePublicBase } from '../receiver/access/public-base.ts';
import type { openReceiver } from '../receiver/open-receiver.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';
import { originForm } from '../receiver/requests/path-pattern.ts';
import { requireSender } from '../senders/sender-rows.ts';
import { createForwarder } from './forwarder.ts';

type Needs = Base &
  ReturnType<typeof openConnections> &
  ReturnType<typeof openReceiver> &
  ReturnType<typeof openCallbacks>;

export function openSends(needs: Needs) {
  const { events, clock, activeConnection, adminPorts, receiverAccess, receiver, documents, endpointSecrets } = needs;
  const { command, callbacks, callbacksChanged: onChanged } = needs;
  const { facts, sends } = callbacks;
  const sending = {
    clock,
    guard: createSendGuard({ adminPorts: () => adminPorts.flatMap((ports) => ports()) }),
    authority: receiverAccess.authorityPem,
    transport: () => activeConnection.present()?.profile ?? command?.route ?? plainTransport,
  };
  const sender = createRequestSender(sending);
  const secretOf = (target: ForwardTarget) => endpointSecrets.of(forwardSecretsId(target))[0] ?? '';
  const forwarder = createForwarder({
    ...needs,
    ...callbacks,
    sender,
    secretOf,
    targets: documents.forwardTargets.get,
    onChanged,
  });
  // A command forwards nothing on its own.
  if (!command) events.on('callbacksArrived', forwarder.arrived);

  /** Sends a callback again, as it is or edited. A canceled request is kept as one that failed, because its receiver may have it. */
  async function replay(
    { id, url, signing, signAs, edited }: SendRequest,
    signal?: AbortSignal,
  ): Promise<CallbackSend> {
    const callback = callbacks.required(id);
    const why = `Request ${id} was refused before it was complete, so it can’t be replayed.`;
    if (callback.refusal) throw new AppFailure('INVALID_INPUT', why, { field: 'id' });
    const { method, headers } = edited ?? callback;
    const body = edited ? Buffer.from(edited.bodyBase64, 'base64') : callback.body;
    const sign = (how: ReplaySigning) => facts.sign(callback, { url, headers, body }, how, clock, signAs);
    const isOutdated = signing === undefined && isSignatureOutdated(callback, headers, body);
    const signed = isOutdated ? await sign('same-id').catch(() => headers) : await sign(signing ?? 'as-received');
    // Sent to this receiver, it must not look like another event; sent elsewhere, its bytes are as received.
    const marked: HeaderList = url === null ? [...signed, ['x-rainbell-replay', String(id)]] : signed;
    const request = { method, url: url ?? ownUrl(callback.target, receiver.state().baseUrl), headers: marked, body };
    const finished = await sender.send(request, responseLimitBytes, signal);
    const kind = edited ? 'edit' : 'replay';
    const stored = sends.add({ ...finished, kind, callbackId: id, method, url: request.url });
    onChanged();
    return stored;
  }

  /** Oldest first, the whole list so many times. Throws AppFailure INVALID_INPUT for too many, and for a query with an invalid term. */
  async function replayIds(choice: CallbackChoice, times = 1): Promise<number[]> {
    const ids = new Set<number>();
    for await (const some of callbacks.search.ids(choice)) {
      some.forEach((id) => ids.add(id));
      if (ids.size > maxReplays) break;
    }
    const once = [...ids].toSorted((one, other) => one - other);
    if (once.length * times <= maxReplays) return Array<number[]>(times).fill(once).flat();
    throw new AppFailure(
      'INVALID_INPUT',
      `One replay sends at most ${maxReplays.toLocaleString('en-US')} requests. Narrow the search, for example with after: and before:, or send each fewer times.`,
      { field: 'query' },
    );
  }

  return {
    /** How requests leave that the user makes from callbacks, or to try a handler. */
    sending,
    changePublicBase: (base: string | null, signal?: AbortSignal) =>
      changePublicBase({ ...needs, sender, onChanged }, base, signal),
    sends: {
      replay,
      replayIds,
      forwardStates: forwarder.states,
      /** Throws AppFailure INVALID_INPUT if a URL may not be called, or a sender is unknown or has no secret. */
      async replaceTargets(next: readonly ForwardTarget[], newSecrets: Readonly<Record<string, string>>) {
        for (const target of next) {
          sender.requireAllowed(target.url);
          if (target.sender === null) continue;
          const { name } = requireSender(target.sender);
          if (newSecrets[target.id] === undefined && secretOf(target) === '')
            throw new AppFailure('INVALID_INPUT', `Enter the secret to sign as ${name} for ${target.url}.`);
        }
        documents.forwardTargets.replace(next);
        const changed = Object.entries(newSecrets).map(([id, secret]) => [forwardSecretsId({ id }), secret] as const);
        await endpointSecrets.save(Object.fromEntries(changed.map(([id]) => [id, []])));
        await endpointSecrets.save(Object.fromEntries(changed.map(([id, secret]) => [id, [secret]])));
        forwarder.apply();
      },
    },
    closeSends() {
      forwarder.close();
      sender.close();
    },
  };
}

/** Whether the body was edited, and the signature was not. */
function isSignatureOutdated(before: StoredCallback, headers: HeaderList, body: Buffer): boolean {
  const signatures = (list: HeaderList) => list.filter(([name]) => /signature|hmac|-mac$/i.test(name)).join();
  return !before.body.equals(body) && signatures(before.headers) === signatures(headers);
}

function ownUrl(target: string, baseUrl: string | null): string {
  if (baseUrl === null)
    throw new AppFailure('UNAVAILABLE', 'The callback receiver is not listening. Choose another URL.', {
      field: 'url',
    });
  const path = originForm(target);
  return baseUrl + (path.startsWith('/') ? path : '/');
}
