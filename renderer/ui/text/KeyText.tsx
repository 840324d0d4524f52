// A key as the keyboard labels it.
import { Kbd } from '@mantine/core';
import { keyParts } from '@rainbell/shared';
import { isMac } from './key-text.ts';

export function KeyText({ of }: { readonly of: string }) {
  return (
    <span className="rb-keys">
      {keyParts(of, isMac).map((part) => (
        <Kbd key={part} size="xs">
          {part}
        </Kbd>
      ))}
    </span>
  );
}
