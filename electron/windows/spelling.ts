// The spell checker of a session. Except on macOS, which has its own, Chromium downloads a dictionary of the user's language from Google
// as soon as a session exists, even if spelling isn't checked (https://github.com/electron/electron/issues/22995). It first looks for
// the file on another thread, so a session that has no languages by then downloads nothing.
import type { Session } from 'electron';

const languagesOf = new WeakMap<Session, string[]>();

/** Call it right when the session is created. */
export function turnSpellingOff(session: Session): void {
  languagesOf.set(session, session.getSpellCheckerLanguages());
  checkSpelling(session, false);
}

export function checkSpelling(session: Session, isOn: boolean): void {
  session.setSpellCheckerLanguages(isOn ? (languagesOf.get(session) ?? []) : []);
  session.setSpellCheckerEnabled(isOn);
}
