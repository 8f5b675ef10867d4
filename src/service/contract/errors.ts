import { z } from 'zod';

/**
 * Body of an answer that is not a success. The specification does not show it; this is what the public service answers:
 * `{"error":{"message":"…","devMessage":"…","source":"…","code":"AUTH_ERR_APIKEY_NOT_FOUND"}}` (2026-11).
 */
export const errorBody = z.looseObject({
  error: z.looseObject({
    message: z.string(),
    devMessage: z.string().optional(),
    source: z.string().optional(),
    code: z.string(),
    /** Of a failed validation: sentences by field. */
    details: z.record(z.string(), z.array(z.string())).optional(),
  }),
});

/** The service's codes that something here answers or looks for (error guide of the public service, 2026-11). */
export type ErrorCode =
  | 'AUTH_ERR_EMPTY_APIKEY'
  | 'AUTH_ERR_APIKEY_NOT_FOUND'
  | 'AUTH_ERR_NO_ACCESS'
  | 'ERR_API_NOT_FOUND'
  | 'ERR_BAD_REQUEST'
  | 'ERR_TOO_MANY_REQUESTS'
  | 'ERR_EXCEPTION'
  | 'ERR_UID_NOT_FOUND'
  | 'ERR_GUID_NOT_FOUND'
  | 'ERR_EMPTY_RECEIVER'
  | 'ERR_INVALID_RECEIVER_TYPE'
  | 'ERR_INVALID_MESSAGE_CATEGORY'
  | 'ERR_INVALID_MESSAGE_TYPE'
  | 'ERR_INVALID_MESSAGE_DATA'
  | 'ERR_INVALID_MESSAGE_TEXT'
  | 'ERR_EMPTY_MESSAGE_TEXT'
  | 'ERR_EMPTY_MESSAGE_FILE'
  | 'ERR_INVALID_MEDIA_MESSAGE'
  | 'ERR_EMPTY_CUSTOM_DATA'
  | 'ERR_INVALID_METADATA'
  | 'ERR_IMPORT_INVALID_MESSAGE_FORMAT'
  | 'ERR_IMPORT_MUID_ALREADY_EXISTS';
