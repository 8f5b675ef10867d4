import { z } from 'zod';
import { ann, bob, hello } from './examples.ts';
import { identifier } from './fields.ts';
import { message } from './message.ts';
import { messageBody } from './message-body.ts';
import { defineOperation } from './operation.ts';
import { sendErrors } from './send-message.ts';

export const sendBotMessage = defineOperation({
  name: 'sendBotMessage',
  summary: 'Sends a message from a bot',
  area: 'Messages',
  method: 'POST',
  path: '/v3/bots/{uid}/messages',
  params: z.object({ uid: identifier.describe('uid of the bot, who is the sender') }),
  body: messageBody,
  answer: z.looseObject({ data: message }),
  errors: ['ERR_BOT_NOT_FOUND', ...sendErrors],
  rateClass: 'send',
  notes: [{ from: 'specification', says: 'The body is that of `sendMessage`; there is no `onBehalfOf`.' }],
  example: {
    parameters: { uid: 'ann' },
    body: {
      receiver: 'bob',
      receiverType: 'user',
      category: 'interactive',
      type: 'form',
      data: {
        interactionGoal: { type: 'allOf', elementIds: ['name', 'meal'] },
        allowSenderInteraction: true,
        interactiveData: {
          title: 'Lunch on Friday',
          formFields: [
            {
              elementType: 'textInput',
              elementId: 'name',
              label: 'Your name',
              optional: false,
              maxLines: 1,
              placeholder: { text: 'As on your badge' },
            },
            {
              elementType: 'dropdown',
              elementId: 'meal',
              label: 'Meal',
              options: [
                { value: 'soup', label: 'Soup' },
                { value: 'salad', label: 'Salad' },
              ],
              defaultValue: 'soup',
            },
            {
              elementType: 'singleSelect',
              elementId: 'drink',
              label: 'Drink',
              options: [
                { value: 'water', label: 'Water' },
                { value: 'tea', label: 'Tea' },
              ],
            },
            {
              elementType: 'checkbox',
              elementId: 'extras',
              label: 'Extras',
              optional: true,
              options: [{ value: 'bread', label: 'Bread' }],
              defaultValue: ['bread'],
            },
            {
              elementType: 'dateTime',
              elementId: 'day',
              label: 'Day',
              mode: 'date',
              dateTimeFormat: 'yyyy-MM-dd',
              timezoneCode: 'Europe/Berlin',
              from: '2026-11-23',
              to: '2026-11-27',
            },
            {
              elementType: 'button',
              elementId: 'menu',
              buttonText: 'Menu',
              action: { actionType: 'urlNavigation', url: 'https://example.com/menu' },
            },
          ],
          submitElement: {
            elementType: 'button',
            elementId: 'submit',
            buttonText: 'Order',
            disableAfterInteracted: true,
            action: {
              actionType: 'apiAction',
              url: 'https://example.com/orders',
              method: 'POST',
              payload: { table: 7 },
              headers: { 'content-type': 'application/json' },
              dataKey: 'answers',
            },
          },
        },
      },
    },
    answer: {
      data: {
        ...hello,
        id: '42',
        category: 'interactive',
        type: 'form',
        data: {
          interactionGoal: { type: 'allOf', elementIds: ['name', 'meal'] },
          interactiveData: { title: 'Lunch on Friday', formFields: [] },
          entities: { sender: { entity: ann, entityType: 'user' }, receiver: { entity: bob, entityType: 'user' } },
        },
      },
    },
  },
});
