import type { TransportAnswer } from '../../service/transport.ts';
import { refuse } from './answers.ts';

/** Also for a user who is deactivated: answers do not tell the two apart. */
export const noSuchUser = (uid: string): TransportAnswer =>
  refuse('ERR_UID_NOT_FOUND', `The user "${uid}" does not exist`);

export const noSuchGroup = (guid: string): TransportAnswer =>
  refuse('ERR_GUID_NOT_FOUND', `The group "${guid}" does not exist`);
