import { shorten } from './shorten.ts';

/** The first line that says something, and is no quote itself, at most `lengthMax` UTF-16 units; empty where there is none. */
export function firstLine(text: string, lengthMax: number): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '' && !candidate.startsWith('>'));
  return shorten(line?.trim() ?? '', lengthMax);
}
