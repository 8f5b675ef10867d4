import { crisp } from '../../../src/sources/crisp/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(crisp);
