import { z } from 'zod';
import { onBehalfOfRequired } from './fields.ts';
import { assumed, defineOperation } from '../operation.ts';

const done = z.looseObject({ data: z.looseObject({ success: z.boolean() }) });

export const getContactDetails = defineOperation({
  name: 'getContactDetails',
  summary: 'Returns the addresses at which a user is notified by e-mail and text message',
  area: 'Notifications',
  method: 'GET',
  path: '/v3/notifications/v1/contact-details',
  headers: onBehalfOfRequired,
  answer: z.looseObject({
    data: z
      .looseObject({ email: z.string().nullish(), phno: z.string().nullish().describe('Telephone number') })
      .meta({ id: 'ContactDetails', description: 'Addresses at which a user is notified' }),
  }),
  errors: ['ERR_UID_NOT_FOUND'],
  notes: [assumed('If nothing is stored, the answer is an empty object.')],
});

export const deleteContactDetails = defineOperation({
  name: 'deleteContactDetails',
  summary: 'Deletes the addresses at which a user is notified by e-mail and text message',
  area: 'Notifications',
  method: 'DELETE',
  path: '/v3/notifications/v1/contact-details',
  headers: onBehalfOfRequired,
  answer: done,
  errors: ['ERR_UID_NOT_FOUND'],
  notes: [assumed('Deleting something that does not exist succeeds.')],
});

export const deleteSmsProvider = defineOperation({
  name: 'deleteSmsProvider',
  summary: 'Deletes the custom SMS notification provider of the app',
  area: 'Notifications',
  method: 'DELETE',
  path: '/v3/notifications/sms/v1/providers/custom',
  answer: done,
  notes: [assumed('Deleting something that does not exist succeeds.')],
});
