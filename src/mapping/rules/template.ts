/**
 * Fills `{field}` in a template. A field that is absent or empty makes the whole template unusable: `undefined`,
 * so that the caller can fall back to the id instead of writing half an id.
 */
export function fillTemplate(
  template: string,
  fields: Readonly<Record<string, string | undefined>>,
): string | undefined {
  let isComplete = true;
  const filled = template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = fields[name];
    if (!value) isComplete = false;
    return value ?? '';
  });
  return isComplete ? filled : undefined;
}

/** Returns the names in the braces of a template, whether or not such fields exist. */
export function templateFields(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1]!);
}
