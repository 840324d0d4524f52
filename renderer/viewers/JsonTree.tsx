// A JSON body as a tree, of which the first levels are open.
import { useCallback, useMemo } from 'react';
import { budget } from './budget.ts';
import { Working } from './CodeView.tsx';
import { JsonLines } from './JsonLines.tsx';
import { useTask } from './run-task.ts';
import { type Source, sourceLength } from './tasks.ts';
import classes from './JsonLines.module.css';

/** In bodies up to this length, the branches of the first level are open, too. */
const openCharacters = 4_000;

export function JsonTree({ source }: { readonly source: Source }) {
  const input = useMemo(() => ({ source }), [source]);
  const length = sourceLength(source);
  const found = useTask('outline', input, { length, subject: source });
  const outline = found.state === 'done' ? found.value : undefined;
  const isOpenFirst = useCallback(
    (line: number) => (outline?.lines.indents[line] ?? 0) <= (length <= openCharacters ? 1 : 0),
    [outline, length],
  );
  if (found.state === 'working') return <Working length={length} />;
  if (!outline)
    return (
      <p className="rb-note">
        {found.state === 'done'
          ? `Too deep to show: more than ${budget.depth} levels. The text is under “Text”.`
          : 'Couldn’t read this body. Its text is under “Text”.'}
      </p>
    );
  return (
    <JsonLines
      outline={outline}
      label="Body as a tree"
      className={`rb-sunken ${classes.tree}`}
      isOpenFirst={isOpenFirst}
    />
  );
}
