// Functions of the store that the first screen does not need: they are loaded with their first call, or before, once the first screen
// has its data.

// oxlint-disable-next-line typescript/no-explicit-any -- whatever a function takes
type Action = (...input: any[]) => Promise<unknown> | void;
type ActionsOf<Part> = { [Name in keyof Part as Part[Name] extends Action ? Name : never]: Part[Name] };

/**
 * Stands for the functions of a part of the store. `names` has all of them, and the compiler asks for each. A function that returns
 * nothing takes effect when it is loaded.
 */
export function laterActions<Part extends object>(
  names: { readonly [Name in keyof ActionsOf<Part>]: true },
  load: () => Promise<ActionsOf<Part>>,
): ActionsOf<Part> {
  let loaded: Promise<ActionsOf<Part>> | undefined;
  const stubs = Object.keys(names).map((name) => {
    const stub = async (...input: unknown[]) => {
      const actions = await (loaded ??= load());
      return (actions as Record<string, Action>)[name]?.(...input);
    };
    return [name, stub] as const;
  });
  return Object.fromEntries(stubs) as ActionsOf<Part>;
}
