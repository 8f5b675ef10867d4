import { quickblox } from '../../../src/sources/quickblox/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(quickblox);
