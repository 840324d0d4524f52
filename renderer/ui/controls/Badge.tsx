// A word or a number in the color of its tone.
import type { ReactNode } from 'react';

type Props = { tone: 'accent' | 'good' | 'warn' | 'bad' | 'plain'; children: ReactNode };

export function Badge({ tone, children }: Readonly<Props>) {
  return (
    <span className="rb-badge" data-tone={tone}>
      {children}
    </span>
  );
}
