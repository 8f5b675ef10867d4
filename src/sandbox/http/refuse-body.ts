import type { z } from 'zod';
import type { Operation } from '../../service/contract/operation.ts';
import type { TransportAnswer } from '../../service/transport.ts';
import { detailsOf, failure, sentenceOf } from './answers.ts';
import { codeOfField } from '../rules/field-codes.ts';

/** Status 400 with what is wrong by field. Where an operation has a code for the first of the fields, it is that code. */
export function refuseBody({ errors }: Operation, error: z.core.$ZodError): TransportAnswer {
  const details = detailsOf(error.issues);
  const code = codeOfField(Object.keys(details)[0] ?? '');
  return failure(400, {
    code: code && errors.includes(code) ? code : 'ERR_BAD_REQUEST',
    message: sentenceOf(details),
    details,
  });
}
