// A JSON value as a tree whose branches open and close; long lists show their beginning and say how many more there are.
import { useState } from 'react';
import classes from './JsonTree.module.css';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const shownMembers = 100;
const openLevels = 2;

export function JsonTree({ text }: { readonly text: string }) {
  return (
    <div className={`rb-mono ${classes.tree}`} role="group" aria-label="Body as a tree">
      <Node name={null} value={JSON.parse(text) as Json} level={0} />
    </div>
  );
}

type NodeProps = { name: string | null; value: Json; level: number };

function Node({ name, value, level }: Readonly<NodeProps>) {
  const [isOpen, setOpen] = useState(level < openLevels);
  const [shown, setShown] = useState(shownMembers);
  const label = name === null ? null : <span className={classes.name}>{name}: </span>;
  if (value === null || typeof value !== 'object') {
    return (
      <div className={classes.leaf}>
        {label}
        <span data-kind={value === null ? 'null' : typeof value}>{JSON.stringify(value)}</span>
      </div>
    );
  }
  const members = Object.entries(value);
  const isList = Array.isArray(value);
  const words = isList ? `[${members.length}]` : `{${members.length}}`;
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span className={classes.count}>{words}</span>
      </summary>
      {isOpen && (
        <div className={classes.members}>
          {members.slice(0, shown).map(([key, member]) => (
            <Node key={key} name={isList ? key : JSON.stringify(key)} value={member} level={level + 1} />
          ))}
          {members.length > shown && (
            <button type="button" className={classes.more} onClick={() => setShown(shown + shownMembers)}>
              {members.length - shown} more…
            </button>
          )}
        </div>
      )}
    </details>
  );
}
