// Which page of the help is open, and where on it.
import type { Slice, SliceTools } from '../../store/slice.ts';

export type HelpSlice = {
  /** A page of `virtual:help-pages`, or `about`. */
  page: string;
  /** A section of the page, or empty for its top. */
  section: string;
  search: string;
  open(page: string, section?: string): void;
  setSearch(search: string): void;
};

export function createHelpSlice({ change }: SliceTools<HelpSlice>): Slice<HelpSlice> {
  return {
    onConnectionChange: { does: 'keep', because: 'the help comes with the app' },
    page: 'start',
    section: '',
    search: '',
    open: (page, section = '') => change({ page, section, search: '' }),
    setSearch: (search) => change({ search }),
  };
}
