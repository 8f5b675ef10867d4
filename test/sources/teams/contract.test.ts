import { teams } from '../../../src/sources/teams/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(teams);
