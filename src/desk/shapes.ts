/** JSON data for the desk's page. The page and the program that answers it share these shapes and nothing else. */

import type { DecideRoutes } from './shapes/decide.ts';
import type { GoRoutes } from './shapes/go.ts';
import type { PeopleRoutes } from './shapes/people.ts';
import type { SignOffRoutes } from './shapes/sign-off.ts';
import type { SourceRoutes } from './shapes/source.ts';
import type { StateRoutes } from './shapes/state.ts';

export type * from './shapes/decide.ts';
export type * from './shapes/go.ts';
export type * from './shapes/people.ts';
export type * from './shapes/sign-off.ts';
export type * from './shapes/source.ts';
export type * from './shapes/state.ts';

/**
 * Every question of the page with its answer: the table of the answers has this type, so that none is forgotten. Each step has its own
 * questions.
 */
export interface DeskRoutes extends StateRoutes, SourceRoutes, DecideRoutes, PeopleRoutes, SignOffRoutes, GoRoutes {}
