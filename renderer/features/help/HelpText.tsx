// Draws the help's tree (help-page.ts) as elements.
import { Anchor } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { HelpNode, HelpTag } from '@rainbell/shared';
import classes from './HelpScreen.module.css';

export function HelpText({ nodes }: { readonly nodes: readonly HelpNode[] }) {
  return nodes.map((node, place) => <Fragment key={place}>{draw(node)}</Fragment>);
}

function draw(node: HelpNode): ReactNode {
  if (typeof node === 'string') return node;
  const [tag, ...inner] = node as readonly [HelpTag | { to: string }, ...HelpNode[]];
  const children = <HelpText nodes={inner} />;
  if (typeof tag === 'object') {
    const isOutside = !tag.to.startsWith('#');
    return (
      <Anchor href={tag.to} {...(isOutside && { target: '_blank', rel: 'noreferrer' })}>
        {children}
      </Anchor>
    );
  }
  if (tag === 'pre') {
    return (
      // Keyboard users scroll what is wider than the page.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      <pre className="rb-code" tabIndex={0}>
        {children}
      </pre>
    );
  }
  if (tag === 'table') {
    return (
      <div className={classes.table}>
        <table className="rb-table">{children}</table>
      </div>
    );
  }
  if (tag === 'code') return <code className="rb-code">{children}</code>;
  const Tag = tag;
  return <Tag>{children}</Tag>;
}
