import { telegram } from '../../../src/sources/telegram/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(telegram);
