// A key as the keyboard labels it.
import { Kbd } from '@mantine/core';
import { keyParts } from '@rainbell/shared';
import classes from './KeyText.module.css';
import { isMac } from '../../ui/text/key-text.ts';

export function KeyText({ of }: { readonly of: string }) {
  return (
    <span className={classes.keys}>
      {keyParts(of, isMac).map((part) => (
        <Kbd key={part} size="xs">
          {part}
        </Kbd>
      ))}
    </span>
  );
}
