// Functions of the store that the first screen does not need: they are loaded with their first call, or before, once the first screen
// has its data.
import type { LaterModule } from '#renderer/ui/hooks/load-later.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- whatever a function takes
type Action = (...input: any[]) => Promise<unknown> | void;
type ActionsOf<Part> = { [Name in keyof Part as Part[Name] extends Action ? Name : never]: Part[Name] };

/**
 * A placeholder for the functions of a part of the store. `names` has all of them, and the compiler checks this. A function that
 * returns nothing runs at once if the module is loaded, and otherwise after loading.
 */
export function laterActions<Module, Part extends object>(
  names: { readonly [Name in keyof ActionsOf<Part>]: true },
  load: LaterModule<Module>,
  create: (module: Module) => Part,
): ActionsOf<Part> {
  let actions: Record<string, Action> | undefined;
  const stubs = Object.keys(names).map((name) => {
    const stub = (...input: unknown[]) => {
      const run = (module: Module) =>
        (actions ??= create(module) as unknown as Record<string, Action>)[name]?.(...input);
      const module = load.now();
      return module ? run(module) : load().then(run);
    };
    return [name, stub] as const;
  });
  return Object.fromEntries(stubs) as ActionsOf<Part>;
}
