// Catches an error in a screen or a part of one (an internal error, or a file that could not be loaded after an update), so that
// the rest stays and says what to do.
import { Button } from '@mantine/core';
import { IconBug } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { EmptyState } from './EmptyState.tsx';

type Props = { children: ReactNode; /** What stopped. */ title?: string };
type State = { problem: string | null };

export class ScreenBoundary extends Component<Props, State> {
  override state: State = { problem: null };

  static getDerivedStateFromError(error: unknown): State {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    if (problem === null) return this.props.children;
    return (
      <section className="rb-card" role="alert">
        <EmptyState
          icon={<IconBug size={32} />}
          title={this.props.title ?? 'This screen stopped working'}
          actions={
            <>
              <Button variant="filled" onClick={() => this.setState({ problem: null })}>
                Try again
              </Button>
              <Button onClick={() => location.reload()}>Reload the window</Button>
            </>
          }
        >
          <p>None of the data you received was lost. If the app was just updated, reload the window.</p>
          <p className="rb-mono">{problem}</p>
        </EmptyState>
      </section>
    );
  }
}
