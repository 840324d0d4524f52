// A named part of a screen that scrolls separately, and is therefore reachable by keyboard.
import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode, Ref } from 'react';

type Props = {
  label: string;
  className: string | undefined;
  style?: CSSProperties;
  children: ReactNode;
  ref?: Ref<HTMLDivElement>;
  /** Whatever a click does must be offered to keys elsewhere. */
  onClick?: (event: MouseEvent) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
};

export function ScrollRegion({ label, children, ...rest }: Readonly<Props>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label={label} tabIndex={0} {...rest}>
      {children}
    </div>
  );
}
