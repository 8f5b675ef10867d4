import { csv } from '../../../src/sources/csv/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(csv);
