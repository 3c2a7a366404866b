import type { Workbench } from './workbench';

/** Answers the questions for another body of a `Withdraw` by another amount, up to the last row of its form. */
export async function changeAmount({ quickInput }: Workbench, amount: string): Promise<void> {
  await quickInput.pick('Message Body');
  await quickInput.accept();
  await quickInput.asks(/: Withdraw/);
  await quickInput.fillForm({ amount });
}
