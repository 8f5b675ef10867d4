import { kakaotalk } from '../../../src/sources/kakaotalk/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(kakaotalk);
