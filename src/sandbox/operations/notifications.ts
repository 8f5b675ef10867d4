import { answerWith } from '../answers.ts';
import type { Handler } from './service.ts';

/** Returns the known details; others are absent. */
export const getContactDetails: Handler<'getContactDetails'> = ({ contacts }, { onBehalfOf }) => {
  const { email, phno } = contacts.find(onBehalfOf) ?? { email: null, phno: null };
  return answerWith({ ...(email !== null && { email }), ...(phno !== null && { phno }) });
};

export const deleteContactDetails: Handler<'deleteContactDetails'> = ({ contacts }, { onBehalfOf }) => {
  contacts.delete(onBehalfOf);
  return answerWith({ success: true });
};

export const deleteSmsProvider: Handler<'deleteSmsProvider'> = ({ contacts }) => {
  contacts.deleteSmsProvider();
  return answerWith({ success: true });
};
