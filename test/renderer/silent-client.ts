// An app client whose calls are never answered.
import type { AppClient } from '#contract/app-rpc/contract.ts';

const group = new Proxy({}, { get: () => () => new Promise(() => {}) });
export const silentClient = new Proxy({}, { get: () => group }) as AppClient;
