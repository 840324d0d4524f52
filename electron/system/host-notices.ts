// Messages of this host to the user while the app runs, one for each subject. The screens show them as banners.
import { EventEmitter } from 'node:events';

export type HostNotices = {
  /** Replaces the subject's sentence, or removes it with undefined. */
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
