import { twilio } from '../../../src/sources/twilio/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(twilio);
