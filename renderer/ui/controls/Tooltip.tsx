// A hint about a control while the mouse is over it. It appears above everything, centered over the control.
import { type ReactNode, useState } from 'react';
import { showBeside } from './show-beside.ts';
import classes from './Tooltip.module.css';

type Props = {
  label: string;
  /** Shown without the mouse, too. */
  isOpen?: boolean;
  children: ReactNode;
};

export function Tooltip({ label, isOpen = false, children }: Readonly<Props>) {
  const [isHovered, setHovered] = useState(false);
  return (
    <span
      className={classes.target}
      onPointerEnter={({ pointerType }) => setHovered(pointerType === 'mouse')}
      onPointerLeave={() => setHovered(false)}
    >
      {children}
      {(isHovered || isOpen) && (
        <span popover="manual" role="tooltip" className={classes.tip} ref={showBeside}>
          {label}
        </span>
      )}
    </span>
  );
}
