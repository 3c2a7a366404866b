/** What the text comment of a payment is made of. */
export interface PaymentText {
  reference: string;
  commentToRecipient?: string | null | undefined;
  commentToSender?: string | null | undefined;
}

/** The text comment that the mock of the payment API asks for: both comments, and the reference. */
export function paymentComment({ reference, commentToRecipient, commentToSender }: PaymentText): string {
  const lines = [commentToRecipient, commentToSender, `Reference: ${reference}`];
  return lines.filter((line) => line != null && line !== '').join('\n');
}
