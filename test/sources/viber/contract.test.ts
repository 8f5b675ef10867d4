import { viber } from '../../../src/sources/viber/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(viber);
