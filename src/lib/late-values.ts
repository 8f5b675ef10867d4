/**
 * Values by name, each made when it is first read and kept from then on. For statements of which most runs need few: to prepare one takes longer
 * than to run it.
 */
export function lateValues<Make extends Readonly<Record<string, () => unknown>>>(
  make: Make,
): { readonly [Name in keyof Make]: ReturnType<Make[Name]> } {
  const values = {} as { [Name in keyof Make]: ReturnType<Make[Name]> };
  for (const [name, makeValue] of Object.entries(make)) {
    Object.defineProperty(values, name, {
      configurable: true,
      get() {
        const value = makeValue();
        Object.defineProperty(values, name, { value });
        return value;
      },
    });
  }
  return values;
}
