// Who may reach the receiver and how (TLS, the LAN), and the secret that its callbacks' signatures are checked with.
import type { ReceiverAccess } from '#contract/procedures/app.ts';
import { idle, type Request, runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';

export type ReceiverSlice = {
  access: ReceiverAccess | null;
  accessRequest: Request;
  changing: Request;
  publicRequest: Request;
  /** From where the connection in use has its secret; null before it was asked. */
  secretSource: 'none' | 'typed' | 'service' | null;
  secretRequest: Request;
  load(): Promise<void>;
  changeAccess(wanted: { tls: boolean; lan: boolean }): Promise<void>;
  /** The address of a tunnel; null for none. Whether it leads here. */
  changePublicBase(base: string | null): Promise<boolean>;
  /** Null forgets it. */
  setSecret(secret: string | null): Promise<boolean>;
};

export function createReceiverSlice({ client, read, change }: SliceTools<ReceiverSlice>): ReceiverSlice {
  return {
    access: null,
    accessRequest: idle,
    changing: idle,
    publicRequest: idle,
    secretSource: null,
    secretRequest: idle,
    async load() {
      change({ changing: idle, publicRequest: idle });
      const access = await runRequest(
        (accessRequest) => change({ accessRequest }),
        () => client.app.receiverAccess(),
      );
      if (access) change({ access });
      const secret = await runRequest(
        (secretRequest) => change({ secretRequest }),
        () => client.callbacks.webhookSecret(),
      );
      if (secret) change({ secretSource: secret.source });
    },
    async changeAccess(wanted) {
      if (read().changing.state === 'loading') return;
      const access = await runRequest(
        (changing) => change({ changing }),
        () => client.app.changeReceiverAccess(wanted),
      );
      if (access) change({ access });
    },
    async changePublicBase(base) {
      const done = await runRequest(
        (publicRequest) => change({ publicRequest }),
        () => client.app.changePublicBase({ base }),
      );
      return done !== undefined;
    },
    async setSecret(secret) {
      const kept = await runRequest(
        (secretRequest) => change({ secretRequest }),
        () => client.callbacks.setWebhookSecret({ secret }),
      );
      if (kept) await read().load();
      return kept !== undefined;
    },
  };
}
