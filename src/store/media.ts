import type { Database } from 'better-sqlite3';
import { bind } from './base/bind.ts';
import * as beyondCopying from './media/beyond-copying.ts';
import * as mediaFigures from './media/media-figures.ts';
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
import { listMedia } from './media/media-list.ts';
import * as mediaMessages from './media/media-messages.ts';
import * as mediaObjects from './media/media-objects.ts';

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
  ...beyondCopying,
  ...mediaFigures,
  countToCopy,
  dropUnusedMedia,
  filesToCopy,
  mediaFileWriter,
  mediaOutcomes,
  mediaSums,
  reopenElsewhere,
  reopenMedia,
  reopenRemoved,
  listMedia,
  ...mediaMessages,
  ...mediaObjects,
};

/** Files of messages: the files themselves, the locations they were copied to, and the messages that name them. */
export const mediaOf = (db: Database) => bind(db, functions);

export type Media = ReturnType<typeof mediaOf>;
