import { readPrivateFile } from '../../../lib/files/private-file.ts';
import { Secret } from '../../../lib/secret.ts';

/** A file with nothing but a password in it; a line feed at its end is not part of it. @throws UsageError where others may read it, or it cannot be read */
export const readPasswordFile = (path: string): Secret =>
  new Secret(readPrivateFile(path, 'the password of the database').replace(/\r?\n$/, ''));
