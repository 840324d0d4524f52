import type { CallbackView } from './callback-view.ts';

/** The whole list, newest first. */
export const wholeView: CallbackView = { query: '', range: 'all', span: null, verdicts: [], order: 'newest' };
