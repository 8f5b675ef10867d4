import { matrix } from '../../../src/sources/matrix/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(matrix);
