// The card beside a list with what was chosen there, or that nothing is.
import type { ReactNode } from 'react';
import type { Request } from '../store/request.ts';
import classes from './DetailCard.module.css';
import { ListOutline, RequestNotice } from './RequestNotice.tsx';

type Props = {
  /** What is shown, for instance `Callback`. */
  label: string;
  isChosen: boolean;
  emptyText: string;
  loadingText: string;
  failedTitle: string;
  request: Request;
  onRetry: () => void;
  children: ReactNode;
};

export function DetailCard(props: Readonly<Props>) {
  const { label, isChosen, emptyText, loadingText, failedTitle, request, onRetry, children } = props;
  if (!isChosen) {
    return (
      <section className={`rb-card ${classes.empty}`} aria-label={label}>
        <p>{emptyText}</p>
      </section>
    );
  }
  return (
    <section className={`rb-card ${classes.card}`} aria-label={label}>
      <RequestNotice
        request={request}
        failedTitle={failedTitle}
        loadingText={loadingText}
        outline={<ListOutline rows={4} />}
        onRetry={onRetry}
      />
      {children}
    </section>
  );
}
