// A place on a screen that other features fill.
import { type ComponentType, Suspense } from 'react';
import type { Parts } from '../store/app-state.ts';
import { useAppStore } from '../store/use-app.ts';

export function FeatureParts<Name extends keyof Parts>({ name, ...given }: { name: Name } & Parts[Name]) {
  const { features } = useAppStore();
  const views = features.flatMap(({ parts }) => (parts?.[name] as ComponentType<object> | undefined) ?? []);
  return (
    <Suspense fallback={null}>
      {views.map((View, index) => (
        <View key={index} {...given} />
      ))}
    </Suspense>
  );
}
