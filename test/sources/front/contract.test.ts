import { front } from '../../../src/sources/front/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(front);
