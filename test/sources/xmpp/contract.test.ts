import { xmpp } from '../../../src/sources/xmpp/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(xmpp);
