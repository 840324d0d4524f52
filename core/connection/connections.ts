// The saved connections and which one is active. Plain fields are in the settings, client secrets and tokens among the host's
// secrets. The sandbox is one of them: predefined, not deletable, and available as soon as the local service is.
import type { AppProblem, ConnectionFields, ConnectionList, SavedConnection } from '@rainbell/contract/app-rpc';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import type { SecretsPort } from '../ports/host.ts';
import type { AppSettings, StoredSettings } from '../settings/app-settings.ts';
import {
  clientSecretName,
  createConnection,
  sandboxId,
  sandboxProfile,
  tokenSecretName,
  type ConnectionProfile,
  type ConnectionDependencies,
} from './connection.ts';
import type { ActiveConnection } from './active-connection.ts';
import { checkFields, requireSecret, tidyFields } from './connection-rules.ts';
import { newConnectionId } from './connection-transfer.ts';

type OwnConnection = StoredSettings['connections'][number];
/** `clientSecret`: absent keeps it, null deletes it. */
export type ConnectionChanges = { [Field in keyof ConnectionFields]?: ConnectionFields[Field] | undefined };

export type Connections = {
  list: () => Promise<ConnectionList>;
  create: (fields: ConnectionFields, clientSecret: string | null) => Promise<SavedConnection>;
  update: (id: string, changes: ConnectionChanges, clientSecret?: string | null) => Promise<SavedConnection>;
  delete: (id: string) => Promise<void>;
  select: (id: string) => Promise<ConnectionList>;
  /** With its secret, for a test. Throws NETWORK for the sandbox while its service is not there. */
  profileOf: (id: string) => Promise<ConnectionProfile>;
  /** The account to sign in with in the sandbox. Throws UNAVAILABLE if another connection is in use, NETWORK while it starts. */
  sandboxAccount: () => { username: string; password: string };
  /** Of the service on this machine, whichever connection is active; null if it is not running. */
  sandboxUrl: () => string | null;
  /** Opens the selected connection again, with secrets that could not be read before. */
  reopen: () => void;
  connectSandbox: (introduction: ServiceIntroduction) => void;
  sandboxFailed: (problem: AppProblem) => void;
};

type ConnectionsDependencies = {
  settings: AppSettings;
  secrets: SecretsPort;
  activeConnection: ActiveConnection;
  connectionDependencies: ConnectionDependencies;
  /** Of a command: any service may be Rainbell's own, as in CI. */
  isCommand: boolean;
  /** What its sign-in window remembered, if the host has one. */
  clearBrowserSession: (connectionId: string) => Promise<void>;
  onChanged: () => void;
};

export function createConnections(dependencies: ConnectionsDependencies): Connections {
  const { settings, secrets, activeConnection, connectionDependencies, onChanged } = dependencies;
  let sandbox: { introduction: ServiceIntroduction } | { problem: AppProblem } | undefined;
  /** Grows with each activation; a slower one that was overtaken changes nothing. */
  let activation = 0;

  function selectedId(): string {
    const { selectedConnection, connections } = settings.get();
    return connections.some(({ id }) => id === selectedConnection) ? selectedConnection : sandboxId;
  }

  function find(id: string): OwnConnection {
    const found = settings.get().connections.find((connection) => connection.id === id);
    if (found) return found;
    throw new AppFailure('NOT_FOUND', 'This connection was deleted. Choose another one.', { field: 'id' });
  }

  async function profileOf(id: string): Promise<ConnectionProfile> {
    if (id !== sandboxId) {
      const { color: _, ...fields } = find(id);
      const clientSecret = (await secrets.read(clientSecretName(id))) ?? undefined;
      return { ...fields, isSandbox: dependencies.isCommand, clientSecret };
    }
    if (sandbox && 'introduction' in sandbox)
      return sandboxProfile(sandbox.introduction, settings.get().sandboxLook.name);
    throw sandboxMissing();
  }

  function sandboxMissing(): AppFailure {
    const known = sandbox && 'problem' in sandbox ? sandbox.problem.message : undefined;
    return new AppFailure('NETWORK', known ?? 'The service on this computer is still starting. Try again in a moment.');
  }

  /** Makes the selected connection the one in use. */
  async function activate(): Promise<void> {
    activation += 1;
    const own = activation;
    const id = selectedId();
    if (id === sandboxId) return openSandbox();
    const { name, baseUrl } = find(id);
    activeConnection.setPending({ name, baseUrl, isSandbox: false });
    const profile = await profileOf(id);
    if (own === activation) open(profile);
  }

  function openSandbox(): void {
    const { name } = settings.get().sandboxLook;
    if (sandbox && 'introduction' in sandbox) return open(sandboxProfile(sandbox.introduction, name));
    activeConnection.setPending({ name, baseUrl: null, isSandbox: true });
    if (sandbox) activeConnection.fail(sandbox.problem);
  }

  function open(profile: ConnectionProfile): void {
    activeConnection.use(createConnection(profile, connectionDependencies));
    // Gets the first token before the first screen needs it; a user who has to sign in is not prompted yet.
    if (!profile.isPublic) activeConnection.refresh();
  }

  async function describe({ id, ...fields }: OwnConnection): Promise<SavedConnection> {
    const secret = clientSecretName(id);
    // A locked secret is not a missing one: the user does not have to enter it again.
    const hasSecret = secrets.stateOf(secret) === 'locked' || (await secrets.read(secret)) !== null;
    return { ...fields, id, kind: 'own', hasSecret };
  }

  function describeSandbox(): SavedConnection {
    const introduction = sandbox && 'introduction' in sandbox ? sandbox.introduction : undefined;
    const known = introduction && sandboxProfile(introduction);
    return {
      id: sandboxId,
      kind: 'sandbox',
      ...settings.get().sandboxLook,
      baseUrl: known?.baseUrl ?? '',
      authUrl: known?.authUrl ?? '',
      clientId: known?.clientId ?? '',
      isPublic: false,
      hasSecret: true,
      redirectUri: known?.redirectUri ?? '',
      scope: 'post_metag',
      caPem: null,
      proxyUrl: null,
    };
  }

  async function list(): Promise<ConnectionList> {
    const own = settings.get().connections.toSorted((one, other) => one.name.localeCompare(other.name));
    return { connections: [describeSandbox(), ...(await Promise.all(own.map(describe)))], selectedId: selectedId() };
  }

  function requireFreeName(name: string, exceptId: string): void {
    const { connections, sandboxLook } = settings.get();
    const others = [{ id: sandboxId, name: sandboxLook.name }, ...connections].filter(({ id }) => id !== exceptId);
    if (!others.some((other) => other.name.toLowerCase() === name.toLowerCase())) return;
    throw new AppFailure('INVALID_INPUT', 'Another connection has this name. Choose a different one.', {
      field: 'name',
    });
  }

  async function deleteTokens(id: string): Promise<void> {
    const present = activeConnection.present();
    if (present?.profile.id === id) {
      await Promise.all([present.tokens.user.delete(), present.tokens.application?.delete()]);
    }
    await secrets.write(tokenSecretName(id, 'user'), null);
    await secrets.write(tokenSecretName(id, 'application'), null);
  }

  async function updateSandbox(changes: ConnectionChanges, clientSecret?: string | null): Promise<SavedConnection> {
    const { name, color, ...others } = changes;
    const isOther = Object.values(others).some((value) => value !== undefined) || clientSecret !== undefined;
    if (isOther) {
      throw new AppFailure(
        'UNAVAILABLE',
        'Only the sandbox’s name and color can be changed; the rest comes from the service on this computer. For another application, create a new connection.',
      );
    }
    const look = settings.get().sandboxLook;
    const next = { name: (name ?? look.name).trim(), color: color ?? look.color };
    if (next.name === '') throw new AppFailure('INVALID_INPUT', 'Enter a name for the connection.', { field: 'name' });
    requireFreeName(next.name, sandboxId);
    settings.update({ sandboxLook: next });
    if (selectedId() === sandboxId && next.name !== look.name) await activate();
    onChanged();
    return describeSandbox();
  }

  const reopen = () => void activate().catch((error: unknown) => activeConnection.fail(toProblem(error)));
  if (selectedId() !== sandboxId) reopen();

  return {
    list,
    profileOf,
    async create(typed, clientSecret) {
      const fields = tidyFields(typed);
      checkFields(fields);
      const id = newConnectionId();
      requireFreeName(fields.name, id);
      if (clientSecret !== null) await secrets.write(clientSecretName(id), requireSecret(clientSecret));
      settings.update({ connections: [...settings.get().connections, { ...fields, id }] });
      onChanged();
      return describe(find(id));
    },
    async update(id, changes, clientSecret) {
      if (id === sandboxId) return updateSandbox(changes, clientSecret);
      const before = find(id);
      const fields = tidyFields({ ...before, ...present(changes) });
      checkFields(fields);
      requireFreeName(fields.name, id);
      const newSecret = clientSecret == null ? clientSecret : requireSecret(clientSecret);
      const isOtherClient =
        newSecret !== undefined ||
        (['baseUrl', 'clientId', 'isPublic'] as const).some((field) => fields[field] !== before[field]);
      if (isOtherClient) await deleteTokens(id);
      if (newSecret !== undefined) await secrets.write(clientSecretName(id), newSecret);
      const next = settings.get().connections.map((other) => (other.id === id ? { ...fields, id } : other));
      settings.update({ connections: next });
      if (selectedId() === id) await activate();
      onChanged();
      return describe(find(id));
    },
    async delete(id) {
      if (id === sandboxId) throw new AppFailure('UNAVAILABLE', 'The sandbox can’t be deleted.');
      find(id);
      const wasSelected = selectedId() === id;
      await deleteTokens(id);
      await secrets.write(clientSecretName(id), null);
      await dependencies.clearBrowserSession(id);
      const { connections, keptBrowserSessions } = settings.get();
      settings.update({
        connections: connections.filter((other) => other.id !== id),
        keptBrowserSessions: keptBrowserSessions.filter((other) => other !== id),
      });
      if (wasSelected) await activate();
      onChanged();
    },
    async select(id) {
      if (id !== sandboxId) find(id);
      if (id !== selectedId()) {
        settings.update({ selectedConnection: id });
        await activate();
        onChanged();
      }
      return list();
    },
    sandboxAccount() {
      if (selectedId() !== sandboxId) {
        throw new AppFailure(
          'UNAVAILABLE',
          'Only the sandbox has a built-in account. Use your own for this connection.',
        );
      }
      if (!sandbox || !('introduction' in sandbox)) throw sandboxMissing();
      const { username, password } = sandbox.introduction;
      return { username, password };
    },
    sandboxUrl: () => (sandbox && 'introduction' in sandbox ? sandbox.introduction.baseUrl : null),
    reopen,
    connectSandbox(introduction) {
      sandbox = { introduction };
      if (selectedId() === sandboxId) openSandbox();
      onChanged();
    },
    sandboxFailed(problem) {
      sandbox = { problem };
      if (selectedId() === sandboxId) activeConnection.fail(problem);
      onChanged();
    },
  };
}

function present(changes: ConnectionChanges): Partial<ConnectionFields> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
