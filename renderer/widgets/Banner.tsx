// One line above the data or the screen that it concerns.
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Banner.module.css';

type BannerProps = {
  tone: 'bad' | 'warn' | 'plain';
  title: string;
  actions?: ReactNode;
  role?: 'alert' | 'status';
  children?: ReactNode;
};

export function Banner({ tone, title, actions, role = 'status', children }: Readonly<BannerProps>) {
  return (
    <div className={`rb-row rb-wrap rb-fixed ${classes.banner}`} role={role} data-tone={tone}>
      {tone !== 'plain' && <IconAlertTriangle size={16} aria-hidden className="rb-fixed" />}
      <div className={`rb-break ${classes.text}`}>
        <strong>{title}</strong>
        <div>{children}</div>
      </div>
      {actions && <div className="rb-row rb-wrap">{actions}</div>}
    </div>
  );
}
