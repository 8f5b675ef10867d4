import type { z } from 'zod';
import type { Declared, OperationName } from '../contract/operations.ts';

// In brackets, so that the condition is asked once and not of every operation: the product of all would be too much.
type Fields<Called, Part extends string> = [Called] extends [{ readonly [P in Part]: infer Schema extends z.ZodType }]
  ? Readonly<z.input<Schema>>
  : unknown;

type Body<Called> = [Called] extends [{ readonly body: infer Schema extends z.ZodType }]
  ? { readonly body: z.input<Schema> }
  : unknown;

/** What an operation is called with: parameters of path, headers and query by name, and its body as `body`. */
export type CallInput<Name extends OperationName> = Fields<Declared<Name>, 'params'> &
  Fields<Declared<Name>, 'headers'> &
  Fields<Declared<Name>, 'query'> &
  Body<Declared<Name>>;

/** What an operation answers. Fields that the contract does not name are kept. */
export type Answer<Name extends OperationName> = z.output<Declared<Name>['answer']>;
