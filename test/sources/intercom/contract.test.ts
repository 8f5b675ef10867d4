import { intercom } from '../../../src/sources/intercom/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(intercom);
