// One setting: what it is and means, its default, and its control with "Reset" while it differs.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './SettingsScreen.module.css';

type Props = {
  title: string;
  meaning: ReactNode;
  /** The control below the words instead of beside them. */
  isWide?: boolean;
  defaultText?: string;
  /** Undefined while the setting has its default. */
  onReset?: (() => void) | undefined;
  children?: ReactNode;
};

export function SettingFrame({ title, meaning, isWide = false, defaultText, onReset, children }: Readonly<Props>) {
  return (
    <div className={classes.row} data-wide={isWide || undefined}>
      <div>
        <h3>{title}</h3>
        {meaning !== '' && <div className={`rb-note rb-break ${classes.words}`}>{meaning}</div>}
        {defaultText !== undefined && (
          <p className="rb-row rb-wrap rb-note">
            Default: {defaultText}
            {onReset && (
              <Button size="compact-xs" variant="subtle" aria-label={`Reset ${title}`} onClick={onReset}>
                Reset
              </Button>
            )}
          </p>
        )}
      </div>
      {children !== undefined && <div className={`rb-column ${classes.control}`}>{children}</div>}
    </div>
  );
}
