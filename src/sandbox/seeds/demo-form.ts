/** A form with an element of every type and both actions of buttons. */
export const demoForm = {
  interactionGoal: { type: 'allOf', elementIds: ['name', 'meal'] },
  allowSenderInteraction: false,
  interactiveData: {
    title: 'Lunch on Friday',
    formFields: [
      { elementType: 'textInput', elementId: 'name', label: 'Your name', optional: false, maxLines: 1 },
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
      { elementType: 'dateTime', elementId: 'when', label: 'When', mode: 'date', dateTimeFormat: 'yyyy-MM-dd' },
      {
        elementType: 'button',
        elementId: 'menu',
        buttonText: 'The menu',
        action: { actionType: 'urlNavigation', url: 'https://example.com/menu' },
      },
    ],
    submitElement: {
      elementType: 'button',
      elementId: 'order',
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
};
