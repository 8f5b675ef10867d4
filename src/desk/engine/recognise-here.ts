import { recognise, type Recognised } from '../../commands/recognise.ts';
import { ChatferryError } from '../../lib/errors.ts';
import type { DeskError } from '../shapes.ts';

export interface RecogniseRequest {
  readonly exports: readonly string[];
  /** The source that the user named. */
  readonly source: string | undefined;
}

export type RecogniseResult = { readonly recognised: Recognised } | { readonly error: DeskError };

/** Recognises an export. What a user can put right is part of the result: an error would lose its hint between threads. */
export async function recogniseHere({ exports, source }: RecogniseRequest): Promise<RecogniseResult> {
  try {
    return { recognised: await recognise(exports, source) };
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
    return { error: { code: 'DESK_REFUSED', message: error.message, hint: error.hint ?? null } };
  }
}
