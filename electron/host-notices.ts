// What this host has to tell the user while the app runs, by subject: a later sentence on a subject replaces the earlier one.
// The screens show them as banners.
import { EventEmitter } from 'node:events';

export type HostNotices = {
  /** Shows a sentence, or removes the subject's sentence with undefined. */
  set: (subject: string, sentence: string | undefined) => void;
  list: () => readonly string[];
  onChange: (run: () => void) => void;
};

export function createHostNotices(): HostNotices {
  const sentences = new Map<string, string>();
  const changes = new EventEmitter();
  return {
    set(subject, sentence) {
      if (sentence === undefined) sentences.delete(subject);
      else sentences.set(subject, sentence);
      changes.emit('change');
    },
    list: () => [...sentences.values()],
    onChange: (run) => void changes.on('change', run),
  };
}
