// What a host (Electron or headless) gives the core. Each member is a small port; every implementation `satisfies` it.
import type { DesktopState, NotificationTarget, Settings } from '@rainbell/contract/app-rpc';

/** Values that others must not be able to read on disk: tokens and client secrets, by name. */
export type SecretsPort = {
  /** Describes for the user how secrets are stored; it may change while the app runs. */
  readonly protection: string;
  /** Null if there is none, or if it can no longer be decrypted (then the user signs in again). */
  read: (name: string) => Promise<string | null>;
  /** Whether something is stored under the name, though `read` may return null. `locked`: it may be readable later. */
  stateOf: (name: string) => 'absent' | 'locked' | 'stored';
  /** Null deletes it. On disk when the promise resolves. */
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
  /** Copies the file under a new name for the user to inspect, and returns that name; null if there is no file. */
  backUp: () => string | null;
};

/** The end of an OAuth sign-in. The core checks the parameters of the URL, `state` first. */
export type DialogOutcome =
  | { kind: 'redirected'; url: string }
  /** The user closed it, which means "no", or `signal` did. */
  | { kind: 'closed' }
  | { kind: 'timed-out' }
  /** The dialog could not be shown; the message is a sentence for the user. */
  | { kind: 'failed'; message: string };

export type DialogRequest = {
  /** The registered redirect address. A host that listens on loopback puts its own port into it. */
  redirectUri: string;
  /** The sign-in page's URL, after the host knows the redirect URL. */
  authorizationUrl: (redirectUri: string) => string;
  /** The name of the connection to sign in to. */
  title: string;
  limitMs: number;
  signal: AbortSignal;
  /** What holds for the connection's other requests holds for the dialog's own window too (docs/tokens.md T18). */
  transport: { caPem: string | null; proxyUrl: string | null };
  /** The sign-in window's cookies and storage (docs/tokens.md). */
  browserSession: {
    connectionId: string;
    /** Kept for the next sign-in of this connection. */
    isSaved: boolean;
    /** Another user signs in: clear what was stored first. */
    isFresh: boolean;
  };
};

/** A notification for the user; a click opens `target`. */
export type UserNotice = { title: string; body: string; target: NotificationTarget | null };

/** `onClick` is called after the app is shown, if the host supports it. */
export type HostNotice = { title: string; body: string; onClick?: () => void };

export type Host = {
  readonly kind: 'electron' | 'headless';
  /** Messages for the user at the start, for instance that a settings file was backed up or that a keyring does not open. */
  notices: () => readonly string[];
  /** Calls `run` when `notices` or the protection of secrets changed; only where they can. */
  onNotices?: (run: () => void) => void;
  readonly secrets: SecretsPort;
  readonly settings: SettingsPort;
  /** Shows the authorization page (docs/interface.md §4.1) and returns how it ended. */
  openDialog?: (request: DialogRequest) => Promise<DialogOutcome>;
  /** Clears cookies, storage, and caches of a connection's sign-in window; only with `openDialog`. */
  clearBrowserSession?: (connectionId: string) => Promise<void>;
  /** Follows the settings that shape the host itself. Called at the start and after each change; must not throw. */
  applySettings?: (settings: Settings) => void;
  desktop?: () => DesktopState;
  /** Shows a notification, if the host can. Otherwise an open browser tab shows it. */
  notify?: (notice: HostNotice) => void;
  /** Quits the app in order and starts it again, if the host can. */
  restart?: () => void;
  /** Opens an http(s) URL in the user's default browser. */
  openExternal: (url: string) => Promise<void>;
  /** A URL of the screens that works once, if the host serves a browser. */
  newAddress?: (hash?: string) => string;
  /** Ports on this machine at which the host itself takes orders; nothing is ever sent there on a callback's behalf. */
  adminPorts?: () => readonly number[];
  /** Calls `run` each time that the machine woke up; the answer cancels it. */
  onResume: (run: () => void) => () => void;
};
