import { SourceError } from '../../lib/errors.ts';
import type { Location } from '../../lib/location.ts';
import { formatVersion, type Header, headerSchema } from './format.ts';
import { faultOf } from './line-fault.ts';

export const isHeader = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'chatferry';

/** @throws SourceError where it is of a version that we cannot read, or says what no header can say: nobody knows what follows. */
export function readHeader(value: unknown, location: Location): Header {
  const parsed = headerSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new SourceError(`Cannot read the header: ${faultOf(parsed.error.issues, value)}`, {
    location,
    hint: `This program reads version ${formatVersion} of the format; docs/sources/chatferry.md has every field`,
  });
}
