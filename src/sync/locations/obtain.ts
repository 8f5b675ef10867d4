import type { ExportLocation } from '../../config/export-location.ts';
import { obtainFromCommand } from './command.ts';
import { obtainDropped } from './drop-folder.ts';
import { obtainFetched } from './fetch.ts';
import { type Obtain, plainTake } from './location.ts';
import { obtainFromUrl } from './download.ts';

/** How to obtain what a job's configuration names. */
export function obtainOf(location: ExportLocation): Obtain {
  if ('path' in location) return async () => plainTake(location.path);
  if ('dropFolder' in location) return (context) => obtainDropped(location, context);
  if ('url' in location) return (context) => obtainFromUrl(location, context);
  if ('command' in location) return (context) => obtainFromCommand(location, context);
  return (context) => obtainFetched(location, context);
}
