import { helpscout } from '../../../src/sources/helpscout/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(helpscout);
