// A JSON body as a tree whose branches open and close. Each branch is read from the text when it is opened; long ones show their
// beginning and say how many more members there are.
import { plural } from '@rainbell/shared';
import { useMemo, useState } from 'react';
import { ScrollRegion } from '../ui/controls/ScrollRegion.tsx';
import { TextPieces } from '../ui/text/ForeignText.tsx';
import { budget } from './budget.ts';
import { Working } from './CodeView.tsx';
import type { JsonBranch, JsonMember } from './json-members.ts';
import { useTask } from './run-task.ts';
import { type Source, sourceLength } from './tasks.ts';
import { moveInTree } from './tree-keys.ts';
import classes from './JsonTree.module.css';

/** In bodies up to this length, the branches of the first level are open, too. */
const openCharacters = 4_000;

export function JsonTree({ source }: { readonly source: Source }) {
  return (
    <ScrollRegion
      className={`rb-mono rb-sunken rb-scroll ${classes.tree}`}
      label="Body as a tree"
      onKeyDown={moveInTree}
    >
      <Branch source={source} path={root} member={null} />
    </ScrollRegion>
  );
}

const root: readonly number[] = [];

type BranchProps = {
  source: Source;
  path: readonly number[];
  /** Null for the whole body. */
  member: JsonMember | null;
};

function Branch({ source, path, member }: Readonly<BranchProps>) {
  const isOpenFirst = path.length === 0 || (path.length === 1 && sourceLength(source) <= openCharacters);
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary tabIndex={-1} data-level={path.length}>
        {member?.name != null && <Name text={member.name} />}
        <span className="rb-dim">
          {member === null ? 'Body' : member.kind === 'list' ? `[${member.size}]` : `{${member.size}}`}
        </span>
      </summary>
      {isOpen && <Members source={source} path={path} />}
    </details>
  );
}

function Members({ source, path }: Omit<BranchProps, 'member'>) {
  const [count, setCount] = useState<number>(budget.portionMembers);
  const input = useMemo(() => ({ source, path, count }), [source, path, count]);
  const found = useTask('branch', input, { length: sourceLength(source), subject: source });
  if (path.length >= budget.depth)
    return <p className={classes.note}>{`Too deep to show: levels beyond ${budget.depth} appear only in the text.`}</p>;
  if (found.state === 'working') return <Working length={sourceLength(source)} />;
  if (found.state === 'failed' || found.value === null)
    return <p className={classes.note}>Couldn’t read this branch. Its text is under “Text”.</p>;
  return (
    // Deep branches stop moving to the right, or they would leave the page.
    <div className={classes.members} data-deep={path.length >= budget.indentLevels || undefined}>
      <MemberList branch={found.value} source={source} path={path} />
      {found.value.size > found.value.members.length && (
        <button
          type="button"
          className={classes.more}
          tabIndex={-1}
          data-level={path.length}
          onClick={() => setCount(count + budget.portionMembers)}
        >
          {plural(found.value.size - found.value.members.length, ['Show more (# member)', 'Show more (# members)'])}
        </button>
      )}
    </div>
  );
}

function MemberList({ branch, source, path }: Omit<BranchProps, 'member'> & { readonly branch: JsonBranch }) {
  return branch.members.map((member, place) => {
    if (member.kind === 'object' || member.kind === 'list')
      // Members may share a name; their place is their identity.
      // oxlint-disable-next-line react/no-array-index-key
      return <PlacedBranch key={place} source={source} parent={path} place={place} branch={branch} member={member} />;
    return (
      // oxlint-disable-next-line react/no-array-index-key
      <div key={place} className={classes.leaf}>
        <Name text={nameOf(branch, member, place)} />
        <span className="rb-json" data-kind={member.kind}>
          <TextPieces text={member.text} />
        </span>
      </div>
    );
  });
}

type PlacedProps = {
  source: Source;
  parent: readonly number[];
  place: number;
  branch: JsonBranch;
  member: JsonMember;
};

/** Keeps the path's identity while the tree around it is drawn again. */
function PlacedBranch({ source, parent, place, branch, member }: Readonly<PlacedProps>) {
  const path = useMemo(() => [...parent, place], [parent, place]);
  return <Branch source={source} path={path} member={{ ...member, name: nameOf(branch, member, place) }} />;
}

function nameOf({ kind }: JsonBranch, { name }: JsonMember, place: number): string {
  return kind === 'list' ? String(place) : (name ?? '');
}

function Name({ text }: { readonly text: string }) {
  return (
    <span className="rb-strong">
      <TextPieces text={text} />
      {': '}
    </span>
  );
}
