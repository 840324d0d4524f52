// Spelling is not checked. Except on macOS, Chromium downloads a dictionary of the user's language from Google as soon as a session
// exists, even if spelling isn't checked (https://github.com/electron/electron/issues/22995). It first looks for the file on another
// thread, so a session that has no languages by then downloads nothing.
import type { Session } from 'electron';

/** Call it right when the session is created. */
export function turnSpellingOff(session: Session): void {
  session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);
}
