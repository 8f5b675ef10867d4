import type { Database } from 'better-sqlite3';
import { bind } from './base/bind.ts';
import { countOnlyFiles, hasForeignAddresses, messagesOfOnlyFiles } from './media/beyond-copying.ts';
import {
  attachedMedia,
  filesLeft,
  hasMedia,
  lastLocation,
  mediaFaults,
  mediaHosts,
  storedByLocation,
} from './media/media-figures.ts';
import {
  countToCopy,
  dropUnusedMedia,
  filesToCopy,
  mediaFileWriter,
  mediaOutcomes,
  mediaSums,
  reopenElsewhere,
  reopenMedia,
  reopenRemoved,
} from './media/media-files.ts';
import { correctedInputs, pathOfInput } from './media/media-inputs.ts';
import { listMedia } from './media/media-list.ts';
import {
  chooseBeforeWaiting,
  copyFinder,
  countWaiting,
  hasWaiting,
  madePayloads,
  mediaUses,
  messagesWithFiles,
  notedMessages,
  sentWithOtherFiles,
  usedFilesReader,
} from './media/media-messages.ts';
import { mediaObjects, objectChecks, ourObjects, storedObjects } from './media/media-objects.ts';

export type { AttachedMedia } from './media/media-figures.ts';
export {
  exportOrigin,
  type MediaFile,
  type MediaSums,
  type NamedMedia,
  missingFile,
  placeInExport,
} from './media/media-files.ts';
export type { MessageWithFiles, NotedMessage, UsedFile } from './media/media-messages.ts';
export type { MediaObject, StoredObject } from './media/media-objects.ts';

const functions = {
  countOnlyFiles,
  hasForeignAddresses,
  messagesOfOnlyFiles,
  attachedMedia,
  filesLeft,
  hasMedia,
  lastLocation,
  mediaFaults,
  mediaHosts,
  storedByLocation,
  countToCopy,
  dropUnusedMedia,
  filesToCopy,
  mediaFileWriter,
  mediaOutcomes,
  mediaSums,
  reopenElsewhere,
  reopenMedia,
  reopenRemoved,
  correctedInputs,
  pathOfInput,
  listMedia,
  chooseBeforeWaiting,
  copyFinder,
  countWaiting,
  hasWaiting,
  madePayloads,
  mediaUses,
  messagesWithFiles,
  notedMessages,
  sentWithOtherFiles,
  usedFilesReader,
  mediaObjects,
  objectChecks,
  ourObjects,
  storedObjects,
};

/** Files of messages: the files themselves, the locations they were copied to, and the messages that name them. */
export const mediaOf = (db: Database) => bind(db, functions);

export type Media = ReturnType<typeof mediaOf>;
