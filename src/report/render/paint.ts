import { styleText } from 'node:util';

export type Format = Parameters<typeof styleText>[0];

/** Coloured where the caller has decided for colours (`wantsColor` in `cli/style.ts`), else the text as it is. */
export function paint(format: Format, text: string, { color }: { readonly color: boolean }): string {
  return color ? styleText(format, text, { validateStream: false }) : text;
}
