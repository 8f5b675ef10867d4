import { instagram } from '../../../src/sources/meta/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(instagram);
