import { whatsapp } from '../../../src/sources/whatsapp/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(whatsapp);
