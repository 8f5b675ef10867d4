import { googlevoice } from '../../../src/sources/googlevoice/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(googlevoice);
