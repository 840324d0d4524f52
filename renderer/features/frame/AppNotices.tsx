// What the app says above every screen.
import { LinkNotice } from './LinkNotice.tsx';
import { UpdateNotice } from './UpdateNotice.tsx';

export function AppNotices({ onReconnect }: { readonly onReconnect: () => void }) {
  return (
    <>
      <LinkNotice onReconnect={onReconnect} />
      <UpdateNotice />
    </>
  );
}
