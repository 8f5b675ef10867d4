import type { DestinationError } from '../../../lib/errors.ts';
import type { MediaRules } from '../../../mapping/rules.ts';
import { locationError, MediaFault, type MediaLocation } from '../../../media/media-location.ts';
import { openLocation } from '../../../media/open-location.ts';

/** Works with the place where files stay, and closes it whatever happens. @throws UsageError, DestinationError */
export async function atLocation<T>(
  rules: MediaRules,
  env: Readonly<Record<string, string | undefined>>,
  work: (location: MediaLocation) => Promise<T>,
): Promise<T> {
  const location = await openLocation(rules, { env }).catch((error: unknown) => {
    throw error instanceof MediaFault ? locationError(error, 'use the place of files') : error;
  });
  try {
    return await work(location);
  } finally {
    await location.close();
  }
}

/** For what is an outcome of a command. @throws any other error as it is. */
export function unusableOr(what: string): (error: unknown) => DestinationError {
  return (error) => {
    if (error instanceof MediaFault) return locationError(error, what);
    throw error;
  };
}
