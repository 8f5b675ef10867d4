import { database } from '../../../src/sources/database/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(database);
