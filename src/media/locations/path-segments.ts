import { MediaFault } from '../media-location.ts';

/** Characters that would end or split a name somewhere. */
const harmful = /[\u0000-\u001f\u007f\\]/;

/** The parts of a key between its slashes. @throws MediaFault where it would lead out of its place; no template makes such a key. */
export function pathSegments(key: string): string[] {
  const segments = key.split('/');
  const isHarmless = segments.every((segment) => segment !== '' && !segment.startsWith('.')) && !harmful.test(key);
  if (!isHarmless) throw new MediaFault('Cannot use the key of a copy: it leads out of its place', { kind: 'never' });
  return segments;
}
