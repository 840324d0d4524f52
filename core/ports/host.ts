// What a host (Electron or headless) gives the core. Each member is a small port; every implementation `satisfies` it.
import type { DesktopState } from '#contract/app-rpc/app.ts';
import type { NotificationTarget } from '#contract/app-rpc/notifications.ts';
import type { Settings } from '#contract/app-rpc/settings.ts';

/** Values that must not be readable by others at rest: tokens and client secrets, by name. */
export type SecretsPort = {
  /** How they are kept, in words for the user; it may change while the app runs. */
  readonly protection: string;
  /** Null when there is none, or when it can no longer be decrypted (then the person signs in again). */
  read: (name: string) => Promise<string | null>;
  /** Whether something is stored under the name, though `read` may return null. `locked`: it may be readable later. */
  stateOf: (name: string) => 'absent' | 'locked' | 'stored';
  /** Null forgets it. On disk when the promise resolves. */
  write: (name: string, value: string | null) => Promise<void>;
  /** Calls `run` when stored secrets that could not be read before can be read, for instance once a keyring opens. */
  onReadable?: (run: () => void) => void;
};

/** The settings file. The core validates what it reads. */
export type SettingsPort = {
  /** The file's values as they are; an empty object when there is no file. */
  read: () => unknown;
  /** Replaces the file atomically. */
  write: (values: Settings) => void;
  /** Copies the file under another name, for a person to look at, and answers that name; null when there is no file. */
  backUp: () => string | null;
};

/** The end of an OAuth dialog. What the address carries is checked by the core, `state` first. */
export type DialogOutcome =
  | { kind: 'redirected'; url: string }
  /** The person closed it, which means "no", or `signal` did. */
  | { kind: 'closed' }
  | { kind: 'timed-out' }
  /** The dialog could not be shown; the message is a sentence for the person. */
  | { kind: 'failed'; message: string };

export type DialogRequest = {
  /** The registered redirect address. A host that listens on loopback puts its own port into it. */
  redirectUri: string;
  /** The dialog's address, once the host knows where it will be redirected to. */
  authorizationUrl: (redirectUri: string) => string;
  /** Where one signs in, in the person's words: the connection's name. */
  title: string;
  /** How long the person may take. */
  limitMs: number;
  signal: AbortSignal;
  /** What holds for the connection's other requests holds for the dialog's own window too (docs/tokens.md T18). */
  transport: { caPem: string | null; proxyUrl: string | null };
  /** What the dialog's own window remembers of the person at the service (docs/tokens.md T6). */
  browserSession: {
    connectionId: string;
    /** Kept for the next sign-in of this connection. */
    isKept: boolean;
    /** Somebody else signs in: what was kept is forgotten before. */
    isFresh: boolean;
  };
};

/** A notification for the user; a click opens `target`. */
export type UserNotice = { title: string; body: string; target: NotificationTarget | null };

/** `onClick`: called besides showing the app, where the host can tell. */
export type HostNotice = { title: string; body: string; onClick?: () => void };

export type Host = {
  readonly kind: 'electron' | 'headless';
  /** What the user should know now, for instance that a settings file was backed up or that a keyring does not open. */
  notices: () => readonly string[];
  /** Calls `run` when `notices` or the protection of secrets changed; only where they can. */
  onNotices?: (run: () => void) => void;
  readonly secrets: SecretsPort;
  readonly settings: SettingsPort;
  /** Shows the authorization dialog (docs/interface.md §4.1) and answers where it ended. */
  openDialog?: (request: DialogRequest) => Promise<DialogOutcome>;
  /** Forgets cookies, storage and caches of a connection's dialog; only where `openDialog` is. */
  forgetBrowserSession?: (connectionId: string) => Promise<void>;
  /** Follows the settings that shape the host itself. Called at the start and after each change; must not throw. */
  applySettings?: (settings: Settings) => void;
  /** The desktop integration; only where there is one. */
  desktop?: () => DesktopState;
  /** Shows a notification; only where the host can. Otherwise an open browser tab shows it. */
  notify?: (notice: HostNotice) => void;
  /** Ends the app in order and starts it again; only where the host can. */
  restart?: () => void;
  /** Opens an http(s) address in the person's own browser. */
  openExternal: (url: string) => Promise<void>;
  /** Ports on this machine at which the host itself takes orders; nothing is ever sent there on a callback's behalf. */
  adminPorts?: () => readonly number[];
  /** Calls `run` each time that the machine woke up; the answer cancels it. */
  onResume: (run: () => void) => () => void;
};
