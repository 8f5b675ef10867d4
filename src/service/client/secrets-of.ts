import { Secret } from '../../lib/secret.ts';
import type { Operation } from '../contract/operation.ts';

/** Whether a parameter is a credential: the contract says so with `isSecret`. */
export function isSecretParameter({ params }: Operation, name: string): boolean {
  return params?.shape[name]?.meta()?.isSecret === true;
}

/** The parameters of a call that are credentials, which no error may repeat. */
export function secretsOf(operation: Operation, parameters: Readonly<Record<string, unknown>>): Secret[] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'string' && isSecretParameter(operation, name) ? [new Secret(value)] : [],
  );
}
