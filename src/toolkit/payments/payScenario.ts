/** What can be made to happen to a payment. */
export const payScenarios = ['paid', 'too-little', 'twice', 'bounced', 'late', 'never'] as const;

/** `paid` as it should be; `late` and `never` pay rightly, but the webhook comes late or never. */
export type PayScenario = (typeof payScenarios)[number];

/** Each as a button, and what it does in a sentence. */
export const payScenarioWords: Readonly<Record<PayScenario, { title: string; detail: string }>> = {
  paid: { title: 'Pay', detail: 'The right amount, once.' },
  'too-little': {
    title: 'Pay Too Little',
    detail: 'One base unit less: the payment stays open, and no webhook is sent.',
  },
  twice: {
    title: 'Pay Twice',
    detail: 'The right amount two times: the second changes nothing, and there is one webhook.',
  },
  bounced: {
    title: 'Pay with Bounce',
    detail: 'The payment comes back: it has failed, and the webhook says so. It can still be paid.',
  },
  late: { title: 'Pay, Webhook Late', detail: 'The right amount; the webhook comes 30 seconds later.' },
  never: {
    title: 'Pay, No Webhook',
    detail: 'The right amount, but no webhook: your shop must ask for the status.',
  },
};
