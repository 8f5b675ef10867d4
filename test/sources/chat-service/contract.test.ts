import { chatService } from '../../../src/sources/chat-service/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(chatService);
