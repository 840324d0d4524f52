// The saved connections and which one is active. Plain fields are in the settings, client secrets and tokens among the host's
// secrets. The sandbox is one of them: predefined, not editable, and available as soon as the local service is.
import type { AppProblem, ConnectionFields, ConnectionList, SavedConnection } from '@rainbell/contract/app-rpc';
import type { ServiceIntroduction } from '@rainbell/contract/service-api';
import { pick } from '@rainbell/shared';
import { AppFailure, toProblem } from '../errors/app-failure.ts';
import type { SecretsPort } from '../ports/host.ts';
import type { AppSettings, StoredSettings } from '../settings/app-settings.ts';
import {
  clientSecretName,
  createConnection,
  sandboxId,
  sandboxName,
  sandboxProfile,
  tokenSecretName,
  type ConnectionProfile,
  type ConnectionDependencies,
} from './connection.ts';
import type { ActiveConnection } from './active-connection.ts';
import { checkFields, tidyFields } from './connection-rules.ts';
import { newConnectionId } from './connection-transfer.ts';

type OwnConnection = StoredSettings['connections'][number];

const notIntroduced = { baseUrl: '', authUrl: '', clientId: '', clientSecret: '', redirectUri: '' };

type ConnectionsDependencies = {
  settings: AppSettings;
  secrets: SecretsPort;
  activeConnection: ActiveConnection;
  connectionDependencies: ConnectionDependencies;
  /** In a command, any service may be Rainbell's own, as in CI. */
  isCommand: boolean;
  /** What its sign-in window remembered, if the host has one. */
  clearBrowserSession: (connectionId: string) => Promise<void>;
  onChanged: () => void;
};

export class Connections {
  readonly #options: ConnectionsDependencies;
  /** Of the service on this machine, once it runs. */
  #introduction: ServiceIntroduction | undefined;
  #sandboxProblem: AppProblem | undefined;
  /** Grows with each activation; a slower one that was overtaken changes nothing. */
  #activation = 0;

  constructor(options: ConnectionsDependencies) {
    this.#options = options;
    if (this.#selectedId() !== sandboxId) this.reopen();
  }

  async list(): Promise<ConnectionList> {
    const own = this.#options.settings.get().connections.toSorted((one, other) => one.name.localeCompare(other.name));
    return {
      connections: [this.#describeSandbox(), ...(await Promise.all(own.map((one) => this.#describe(one))))],
      selectedId: this.#selectedId(),
    };
  }

  /** With its secret, for a test. Throws NETWORK for the sandbox while its service is not there. */
  async profileOf(id: string): Promise<ConnectionProfile> {
    if (id !== sandboxId) {
      const { color: _, ...fields } = this.#find(id);
      const clientSecret = (await this.#options.secrets.read(clientSecretName(id))) ?? undefined;
      return { ...fields, isSandbox: this.#options.isCommand, clientSecret };
    }
    if (this.#introduction) return sandboxProfile(this.#introduction);
    throw this.#sandboxMissing();
  }

  async create(typed: ConnectionFields, clientSecret: string | null): Promise<SavedConnection> {
    const fields = tidyFields(typed);
    checkFields(fields, clientSecret);
    const id = newConnectionId();
    this.#requireFreeName(fields.name, id);
    if (clientSecret !== null) await this.#options.secrets.write(clientSecretName(id), clientSecret.trim());
    this.#options.settings.update({ connections: [...this.#options.settings.get().connections, { ...fields, id }] });
    this.#options.onChanged();
    return this.#describe(this.#find(id));
  }

  /** `clientSecret`: absent keeps it, null deletes it. */
  async update(id: string, typed: ConnectionFields, clientSecret?: string | null): Promise<SavedConnection> {
    if (id === sandboxId) throw new AppFailure('UNAVAILABLE', 'The sandbox can’t be changed.');
    const before = this.#find(id);
    const fields = tidyFields(typed);
    checkFields(fields, clientSecret);
    this.#requireFreeName(fields.name, id);
    const newSecret = clientSecret == null ? clientSecret : clientSecret.trim();
    const isOtherClient =
      newSecret !== undefined ||
      (['baseUrl', 'clientId', 'isPublic'] as const).some((field) => fields[field] !== before[field]);
    if (isOtherClient) await this.#deleteTokens(id);
    if (newSecret !== undefined) await this.#options.secrets.write(clientSecretName(id), newSecret);
    const next = this.#options.settings.get().connections.map((other) => (other.id === id ? { ...fields, id } : other));
    this.#options.settings.update({ connections: next });
    if (this.#selectedId() === id) await this.#activate();
    this.#options.onChanged();
    return this.#describe(this.#find(id));
  }

  async delete(id: string) {
    if (id === sandboxId) throw new AppFailure('UNAVAILABLE', 'The sandbox can’t be deleted.');
    this.#find(id);
    const wasSelected = this.#selectedId() === id;
    await this.#deleteTokens(id);
    await this.#options.secrets.write(clientSecretName(id), null);
    await this.#options.clearBrowserSession(id);
    const { connections, keptBrowserSessions } = this.#options.settings.get();
    this.#options.settings.update({
      connections: connections.filter((other) => other.id !== id),
      keptBrowserSessions: keptBrowserSessions.filter((other) => other !== id),
    });
    if (wasSelected) await this.#activate();
    this.#options.onChanged();
  }

  async select(id: string): Promise<ConnectionList> {
    if (id !== sandboxId) this.#find(id);
    if (id !== this.#selectedId()) {
      this.#options.settings.update({ selectedConnection: id });
      await this.#activate();
      this.#options.onChanged();
    }
    return this.list();
  }

  /** The account to sign in with in the sandbox. Throws UNAVAILABLE if another connection is in use, NETWORK while it starts. */
  sandboxAccount(): Pick<ServiceIntroduction, 'username' | 'password' | 'clientId' | 'clientSecret'> {
    if (this.#selectedId() !== sandboxId) {
      throw new AppFailure('UNAVAILABLE', 'Only the sandbox has a built-in account. Use your own for this connection.');
    }
    if (!this.#introduction) throw this.#sandboxMissing();
    return pick(this.#introduction, 'username', 'password', 'clientId', 'clientSecret');
  }

  /** Returns the URL of the service on this machine, whichever connection is active; null if it is not running. */
  sandboxUrl(): string | null {
    return this.#introduction?.baseUrl ?? null;
  }

  /** Opens the selected connection again, with secrets that could not be read before. */
  reopen(): void {
    this.#activate().catch((error: unknown) => this.#options.activeConnection.fail(toProblem(error)));
  }

  connectSandbox(introduction: ServiceIntroduction) {
    this.#introduction = introduction;
    if (this.#selectedId() === sandboxId) this.#openSandbox();
    this.#options.onChanged();
  }

  sandboxFailed(problem: AppProblem) {
    this.#introduction = undefined;
    this.#sandboxProblem = problem;
    if (this.#selectedId() === sandboxId) this.#options.activeConnection.fail(problem);
    this.#options.onChanged();
  }

  #selectedId(): string {
    const { selectedConnection, connections } = this.#options.settings.get();
    return connections.some(({ id }) => id === selectedConnection) ? selectedConnection : sandboxId;
  }

  #find(id: string): OwnConnection {
    const found = this.#options.settings.get().connections.find((connection) => connection.id === id);
    if (found) return found;
    throw new AppFailure('NOT_FOUND', 'This connection was deleted. Choose another one.', { field: 'id' });
  }

  #sandboxMissing(): AppFailure {
    const stillStarting = 'The service on this computer is still starting. Try again in a moment.';
    return new AppFailure('NETWORK', this.#sandboxProblem?.message ?? stillStarting);
  }

  async #activate(): Promise<void> {
    this.#activation += 1;
    const own = this.#activation;
    const id = this.#selectedId();
    if (id === sandboxId) return this.#openSandbox();
    const { name, baseUrl } = this.#find(id);
    this.#options.activeConnection.setPending({ name, baseUrl, isSandbox: false });
    const profile = await this.profileOf(id);
    if (own === this.#activation) this.#open(profile);
  }

  #openSandbox(): void {
    if (this.#introduction) return this.#open(sandboxProfile(this.#introduction));
    this.#options.activeConnection.setPending({ name: sandboxName, baseUrl: null, isSandbox: true });
    if (this.#sandboxProblem) this.#options.activeConnection.fail(this.#sandboxProblem);
  }

  #open(profile: ConnectionProfile): void {
    this.#options.activeConnection.use(createConnection(profile, this.#options.connectionDependencies));
    // Gets the first token before the first screen needs it; a user who has to sign in is not prompted yet.
    if (!profile.isPublic) this.#options.activeConnection.refresh();
  }

  async #describe({ id, ...fields }: OwnConnection): Promise<SavedConnection> {
    const secret = clientSecretName(id);
    // A locked secret is not a missing one: the user does not have to enter it again.
    const hasSecret =
      this.#options.secrets.stateOf(secret) === 'locked' || (await this.#options.secrets.read(secret)) !== null;
    return { ...fields, id, kind: 'own', hasSecret };
  }

  #describeSandbox(): SavedConnection {
    const { isSandbox: _, clientSecret: _secret, ...fields } = sandboxProfile(this.#introduction ?? notIntroduced);
    return { ...fields, kind: 'sandbox', color: 'teal', hasSecret: true };
  }

  #requireFreeName(name: string, exceptId: string): void {
    const { connections } = this.#options.settings.get();
    const others = [{ id: sandboxId, name: sandboxName }, ...connections].filter(({ id }) => id !== exceptId);
    if (!others.some((other) => other.name.toLowerCase() === name.toLowerCase())) return;
    throw new AppFailure('INVALID_INPUT', 'Another connection has this name. Choose a different one.', {
      field: 'name',
    });
  }

  async #deleteTokens(id: string): Promise<void> {
    const present = this.#options.activeConnection.present();
    if (present?.profile.id === id) {
      await Promise.all([present.tokens.user.delete(), present.tokens.application?.delete()]);
    }
    await this.#options.secrets.write(tokenSecretName(id, 'user'), null);
    await this.#options.secrets.write(tokenSecretName(id, 'application'), null);
  }
}
