import { imessage } from '../../../src/sources/imessage/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(imessage);
