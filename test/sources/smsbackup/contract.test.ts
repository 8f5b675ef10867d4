import { smsbackup } from '../../../src/sources/smsbackup/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(smsbackup);
