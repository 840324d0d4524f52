// What the system says of the user: their name, and the usual place of each system for the data folder.
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Throws a sentence if the user has no home folder, as in a container without HOME and an entry in /etc/passwd. */
export function defaultDataFolder(): string {
  const { LOCALAPPDATA, XDG_DATA_HOME = '' } = process.env;
  if (process.platform === 'darwin') return join(home(), 'Library', 'Application Support', 'rainbell');
  if (process.platform === 'win32') return join(LOCALAPPDATA || join(home(), 'AppData', 'Local'), 'rainbell', 'Data');
  // A relative path must be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
  return join(isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(home(), '.local', 'share'), 'rainbell');
}

function home(): string {
  try {
    return homedir();
  } catch {
    throw new Error('This user has no home folder. Choose a data folder with --data.');
  }
}

/** Undefined for a user without a name, as in a container. */
export function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
