// Messages of this host to the user while the app runs, one for each subject. The screens show them as banners.
import { EventEmitter } from 'node:events';

export type HostNotices = ReturnType<typeof createHostNotices>;

export function createHostNotices() {
  const sentences = new Map<string, string>();
  const changes = new EventEmitter();
  return {
    /** Replaces the subject's sentence, or removes it with undefined. */
    set(subject: string, sentence: string | undefined) {
      if (sentence === undefined) sentences.delete(subject);
      else sentences.set(subject, sentence);
      changes.emit('change');
    },
    list: (): readonly string[] => [...sentences.values()],
    onChange: (run: () => void): void => void changes.on('change', run),
  };
}
