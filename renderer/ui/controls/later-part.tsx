// Parts of a screen that its first look does not need. They are loaded when they are first shown, or before, once the first
// screen has its data: then they appear at once, even while the host is not reachable.
import { type ComponentType, useEffect, useState } from 'react';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

/** Returns a component that shows nothing until `load` has returned what it stands for. */
export function laterPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined;
  const ensure = laterModule(async () => {
    Part = await load();
  });
  return function LaterPart(props: Props) {
    const [isLoaded, setLoaded] = useState(Part !== undefined);
    useEffect(() => {
      if (!isLoaded) void ensure().then(() => setLoaded(true));
    }, [isLoaded]);
    return Part && <Part {...props} />;
  };
}
