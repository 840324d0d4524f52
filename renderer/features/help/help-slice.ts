// Which page of the help is open, and where on it.
import type { SliceTools } from '../../store/slice.ts';

export interface HelpSlice extends ReturnType<typeof createHelpSlice> {}

export function createHelpSlice({ change }: SliceTools<HelpSlice>) {
  return {
    onConnectionChange: { does: 'keep', because: 'the help comes with the app' } as const,
    /** A page of `virtual:help-pages`, or `about`. */
    page: 'start',
    /** A section of the page, or empty for its top. */
    section: '',
    search: '',
    open: (page: string, section = ''): void => change({ page, section, search: '' }),
    setSearch: (search: string): void => change({ search }),
  };
}
