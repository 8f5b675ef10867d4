import type { PersonCheck } from '../check.ts';
import { nameLengthMax } from '../../../service/limits.ts';

export const personNameShortened: PersonCheck = {
  code: 'person-name-shortened',
  severity: 'information',
  title: 'Names of people over 100 characters',
  explanation: 'The destination takes names of at most 100 characters (properties and constraints page, 2026-11).',
  remedy: 'Nothing: the first 100 are sent, with an ellipsis.',
  find: ({ name }) => (name.length > nameLengthMax ? `${name.length} characters, ${nameLengthMax} allowed` : undefined),
};
