import type { z } from 'zod';
import { ChatferryError } from '../../lib/errors.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import { json } from '../../viewer/front.ts';
import { Closed } from '../engine/engine.ts';
import { NoRoom } from '../files/dropped.ts';
import { Changed } from '../files/workspace.ts';
import { Busy } from '../runs/runner.ts';
import type { DeskError } from '../shapes.ts';

/** Messages of the export are still to be sent. */
export class StillNeeded extends Error {
  override readonly message = 'Cannot delete the files: messages of them are still to be sent';
}

export class BadRequest extends Error {}

/** Returns a body of the page once it is what it should be. @throws BadRequest */
export function checkedBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data as z.output<Schema>;
  const [{ path, message }] = error.issues as [z.core.$ZodIssue];
  throw new BadRequest(`Cannot take the request: ${path.length === 0 ? '' : `${path.join('.')}: `}${message}`);
}

/** The answer to a request that failed. @throws the error itself, if it is a mistake of this program. */
export function toFaultAnswer(error: unknown): TransportAnswer {
  if (error instanceof Busy) return failed(409, 'DESK_BUSY', 'Another run is going on');
  if (error instanceof Changed) return failed(409, 'DESK_CHANGED', 'The files have changed meanwhile');
  if (error instanceof Closed) return failed(503, 'DESK_CLOSED', 'The desk has ended');
  if (error instanceof StillNeeded) return failed(409, 'DESK_STILL_NEEDED', error.message);
  if (error instanceof NoRoom) return failed(507, 'DESK_NO_ROOM', error.message);
  if (error instanceof BadRequest) return failed(400, 'DESK_BAD_REQUEST', error.message);
  if (error instanceof ChatferryError) return answered(422, toDeskError(error));
  throw error;
}

/** An error that a person can put right, in the words of the commands. */
export function toDeskError({ message, hint }: ChatferryError): DeskError {
  return { code: 'DESK_REFUSED', message, hint: hint ?? null };
}

export const failed = (status: number, code: string, message: string): TransportAnswer =>
  answered(status, { code, message, hint: null });

const answered = (status: number, error: DeskError): TransportAnswer => ({ ...json({ error }), status });
