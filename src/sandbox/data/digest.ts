import { hash } from 'node:crypto';

/** Of a credential, in hexadecimal: the data file holds no credential itself. */
export const digestOf = (credential: string): string => hash('sha256', credential);
